import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { InputError } from '../../errors.ts';
import { addListFlags, ask, listQuery } from '../ask.ts';
import { type RelatedList, renderRelated } from '../related-list.ts';
import { print, printable, printJson, type Terminal } from '../terminal.ts';

interface Answer extends RelatedList {
  readonly terms?: readonly { readonly term: string }[];
}

const HELP = `
DOC is a file of text or HTML (told apart by its first sign), or - for standard input.

Examples:
  akin similar web.akin draft.html
  echo 'how to draw a smooth curve through points' | akin similar web.akin -`;

/** `akin similar FILE DOC`: the answer of `POST /similar`. */
export function similarCommand(terminal: Terminal): Command {
  const command = new Command('similar')
    .description('print the pages nearest to a document the index has never seen')
    .argument('<file>', 'the index')
    .argument('<doc>', 'the document; - is standard input')
    .option('--type <KIND>', 'text or html, where the first sign would mislead')
    .addHelpText('after', HELP);
  addListFlags(command);
  return command.action(async (path: string, doc: string, flags: { json?: true; type?: string }) => {
    const bytes = await readDocument(doc, terminal);
    const body = { mediaType: mediaType(flags.type, bytes), bytes };
    const answer = await ask<Answer>(path, {
      method: 'POST',
      path: '/similar',
      query: listQuery(command),
      body,
    });
    if (flags.json === true) return printJson(terminal, answer);
    const terms = (answer.terms ?? []).slice(0, 10).map(({ term }) => printable(term));
    print(terminal, `${terms.length > 0 ? `terms: ${terms.join(', ')}\n\n` : ''}${renderRelated(answer)}`);
  });
}

async function readDocument(doc: string, { stdin }: Terminal): Promise<Uint8Array> {
  if (doc === '-') {
    const chunks: Buffer[] = [];
    for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array));
    return Buffer.concat(chunks);
  }
  try {
    return await readFile(doc);
  } catch (cause) {
    throw new InputError('AKIN_ERR_INPUT_MISSING', `cannot read the document ${doc}`, {
      hint: 'give the path of a text or HTML file, or - for standard input',
      cause,
    });
  }
}

function mediaType(kind: string | undefined, bytes: Uint8Array): string {
  if (kind !== undefined && kind !== 'text' && kind !== 'html') {
    throw new InputError('AKIN_ERR_OPTION', `--type is "${kind}"`, { hint: 'allowed: text, html' });
  }
  const first = Buffer.from(bytes.subarray(0, 1024))
    .toString('latin1')
    .replace(/^(\u00ef\u00bb\u00bf)?\s+/, '');
  return (kind ?? (first.startsWith('<') ? 'html' : 'text')) === 'html'
    ? 'text/html'
    : 'text/plain; charset=utf-8';
}
