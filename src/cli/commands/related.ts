import { Command } from 'commander';
import type { RelatedAnswer } from '../../service/schemas/list-answers.ts';
import { addListFlags, ask, listQuery } from '../answers/ask.ts';
import { renderRelated } from '../answers/related-list.ts';
import { print, printable, printJson, type Terminal } from '../terminal/terminal.ts';

const HELP = `
Examples:
  akin related web.akin https://example.org/page
  akin related web.akin https://example.org/page --same-site exclude --explain
  akin related web.akin https://example.org/page --by copy
  akin related web.akin https://example.org/page --by cocitation --explain
  akin related web.akin https://example.org/page --json --limit 50`;

/** `akin related FILE URL`: the answer of `GET /related`. */
export function relatedCommand(terminal: Terminal): Command {
  const command = new Command('related')
    .description('print the pages related to a page')
    .argument('<file>', 'the index')
    .argument('<url>', 'a page of the index, or an alias of one')
    .addHelpText('after', HELP);
  addListFlags(command, 'page');
  return command.action(async (path: string, url: string, flags: { json?: true }) => {
    const query = { url, ...listQuery(command, 'page') };
    const answer = await ask<RelatedAnswer>(path, { method: 'GET', path: '/related', query });
    if (flags.json === true) return printJson(terminal, answer);
    print(terminal, `${printable(answer.title)} (${printable(answer.url)})\n\n${renderRelated(answer)}`);
  });
}
