import { Command } from 'commander';
import type { SimilarAnswer } from '../../service/schemas/list-answers.ts';
import { addListFlags, ask, documentKind, listQuery, readDocument } from '../answers/ask.ts';
import { renderRelated } from '../answers/related-list.ts';
import { print, printable, printJson, type Terminal } from '../terminal/terminal.ts';

const HELP = `
DOC is a file of text or HTML, or - for standard input. A document that starts with < is HTML.

Examples:
  akin similar web.akin draft.html
  akin similar web.akin draft.html --by copy
  akin similar web.akin draft.html --exact
  echo 'how to draw a smooth curve through points' | akin similar web.akin -`;

/** `akin similar FILE DOC`: the answer of `POST /similar`. */
export function similarCommand(terminal: Terminal): Command {
  const command = new Command('similar')
    .description('print the pages nearest to a document that is not in the index')
    .argument('<file>', 'the index')
    .argument('<doc>', 'the document; - is standard input')
    .option('--type <KIND>', 'text or html; without it, a document that starts with < is HTML')
    .option('--exact', 'compare with every page; otherwise a large index is searched in a quicker way')
    .addHelpText('after', HELP);
  addListFlags(command, 'document');
  return command.action(
    async (path: string, doc: string, flags: { json?: true; type?: string; exact?: true }) => {
      const bytes = await readDocument(doc, terminal);
      const mediaType =
        documentKind(flags.type, bytes) === 'html' ? 'text/html' : 'text/plain; charset=utf-8';
      const answer = await ask<SimilarAnswer>(path, {
        method: 'POST',
        path: '/similar',
        query: { ...listQuery(command, 'document'), exact: flags.exact === true ? 'true' : undefined },
        body: { mediaType, bytes },
      });
      if (flags.json === true) return printJson(terminal, answer);
      const terms = answer.terms.slice(0, 10).map(({ term }) => printable(term));
      print(terminal, `${terms.length > 0 ? `terms: ${terms.join(', ')}\n\n` : ''}${renderRelated(answer)}`);
    },
  );
}
