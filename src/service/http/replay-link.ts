import { optionFault } from '../../errors.ts';

/** The address of an archived capture; null where its time is not known and the template asks for it. */
export type ReplayLink = (url: string, fetchedAt: string | null) => string | null;

/** Scheme and host are the operator's own: what stands for a page comes behind them. */
const TEMPLATE = /^https?:\/\/[^\s/?#@{}"'<>\\]+\/[^\s"'<>\\]*$/;

/** A template as it is, undefined for any other text. */
export function replayTemplate(text: string): string | undefined {
  const rest = text.replaceAll('{timestamp}', '').replaceAll('{url}', '');
  const isTemplate =
    text.includes('{url}') && TEMPLATE.test(text) && !/[{}]/.test(rest) && URL.canParse(rest);
  return text === '' || isTemplate ? text : undefined;
}

/**
 * `{url}` stands for the URL of the page: as it is in the path of the template, as archives have it, and encoded behind a
 * question mark or `#`. `{timestamp}` stands for the time of the capture as 14 digits, UTC.
 *
 * Errors  InputError AKIN_ERR_OPTION for what is no template.
 */
export function replayLink(template: string): ReplayLink {
  if (replayTemplate(template) === undefined) {
    throw optionFault(
      `no template of a link to an archive: ${template}`,
      'such as https://web.archive.org/web/{timestamp}/{url}',
    );
  }
  const pieces = template.split(/(\{url\}|\{timestamp\})/);
  const isDated = pieces.includes('{timestamp}');
  return (url, fetchedAt) => {
    if (isDated && fetchedAt === null) return null;
    let link = '';
    for (const piece of pieces) {
      if (piece === '{url}') link += /[?#]/.test(link) ? encodeURIComponent(url) : url.replaceAll('#', '%23');
      else if (piece === '{timestamp}') link += fetchedAt!.replace(/\D/g, '').slice(0, 14);
      else link += piece;
    }
    return link;
  };
}
