/** What a page, or the header of its response, asks of robots. */

interface RobotsRules {
  readonly noindex: boolean;
  readonly nofollow: boolean;
}

/** `max-image-preview: none` asks for no preview, not for `none`. What is left of a date has no name in it: `15:00:00`. */
const WITH_VALUE = /(^|[^\w-])(?:max-[a-z-]+|unavailable_after)\s*:\s*[^\s,;]*/g;

/** By which a robot knows itself in robots.txt (RFC 9309): the letters, `_` and `-` that its name begins with, in lower case. */
export function productToken(name: string): string {
  return /^[a-z_-]*/.exec(name.toLowerCase())![0];
}

/**
 * Whether a name, in lower case, is that of a robot: `mybot`, `mybot2/1.0`.
 *
 * @param agent its product token; '' where it has none.
 */
export function isNameOf(name: string, agent: string): boolean {
  return agent !== '' && name.startsWith(agent) && /^[\w./-]*$/.test(name) && productToken(name) === agent;
}

/**
 * All that is said to all robots and to this one holds; the sterner word wins.
 *
 * @param texts the content of `<meta name="robots">`, or values of X-Robots-Tag: `noindex, akin: nofollow, other: none`.
 *        What follows a name is said to that robot alone, up to the next name.
 * @param agent product token of the robot; '' where it has none.
 */
export function robotsRules(texts: readonly string[], agent: string): RobotsRules {
  const words = new Set<string>();
  for (const text of texts) {
    let isOurs = true;
    for (const part of text.toLowerCase().replace(WITH_VALUE, '$1 ').split(',')) {
      const [, name, rules] = /^\s*(?:(\d*[a-z][\w./-]*)\s*:)?(.*)$/s.exec(part)!;
      if (name !== undefined) isOurs = isNameOf(name, agent);
      if (isOurs) for (const word of rules!.split(/[\s;]+/)) words.add(word);
    }
  }
  const none = words.has('none');
  return { noindex: none || words.has('noindex'), nofollow: none || words.has('nofollow') };
}
