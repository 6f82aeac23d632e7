/** One request in three languages, each as it can be run with nothing installed. */
import { answerOf, type Route } from './operation.ts';

interface ExampleRequest {
  readonly method: string;
  readonly url: string;
  readonly mediaType: string | null;
  readonly body: string | null;
  /** What comes back is JSON. */
  readonly answersJson: boolean;
}

/** @param origin where the service is: scheme, host, port and base path */
export function exampleRequest(origin: string, { method, path, operation }: Route): ExampleRequest {
  let filled = path;
  const query = new URLSearchParams();
  for (const { name, in: place, required, example } of operation.parameters ?? []) {
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(String(example)));
    else if (required === true || example !== undefined) query.set(name, String(example));
  }
  const contents = Object.entries(operation.requestBody?.content ?? {});
  const [mediaType, content] = contents.find(([, { example }]) => example !== undefined) ?? [null, null];
  const text = content?.example;
  return {
    method,
    url: `${origin}${filled}${query.size > 0 ? `?${query}` : ''}`,
    mediaType,
    body: text === undefined ? null : typeof text === 'string' ? text : JSON.stringify(text, null, 2),
    answersJson: answerOf(operation).mediaType === 'application/json',
  };
}

export function asCurl({ method, url, mediaType, body }: ExampleRequest): string {
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${shellText(url)}`];
  if (mediaType !== null) lines.push(`-H ${shellText(`Content-Type: ${mediaType}`)}`);
  if (body !== null) lines.push(`--data-binary ${shellText(body)}`);
  return lines.join(' \\\n  ');
}

export function asJavaScript({ method, url, mediaType, body, answersJson }: ExampleRequest): string {
  const options = [
    method !== 'GET' && `  method: '${method}',`,
    mediaType !== null && `  headers: { 'content-type': '${mediaType}' },`,
    body !== null &&
      `  body: ${answersJson && mediaType === 'application/json' ? `JSON.stringify(${body.replaceAll('\n', '\n  ')})` : quoted(body)},`,
  ].filter((line) => line !== false);
  const given = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  return `const answer = await fetch(${quoted(url)}${given});
console.log(await answer.${answersJson ? 'json' : 'text'}());`;
}

export function asPython({ method, url, mediaType, body, answersJson }: ExampleRequest): string {
  const given = [
    `    ${quoted(url)},`,
    method !== 'GET' && `    method='${method}',`,
    mediaType !== null && `    headers={'Content-Type': '${mediaType}'},`,
    body !== null && `    data=${quoted(body.replace(/\n */g, ' '))}.encode(),`,
  ].filter((line) => line !== false);
  return `${answersJson ? 'import json\n' : ''}from urllib.request import Request, urlopen

request = Request(
${given.join('\n')}
)
with urlopen(request) as answer:
    print(${answersJson ? 'json.load(answer)' : 'answer.read().decode()'})`;
}

/** A text as a shell takes it. */
function shellText(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A text as JavaScript and Python write it. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
}
