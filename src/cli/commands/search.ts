import { Command } from 'commander';
import type { SearchAnswer } from '../../service/schemas/search-answers.ts';
import { ask } from '../answers/ask.ts';
import { renderSearch } from '../answers/search-list.ts';
import { print, printJson, type Terminal } from '../terminal/terminal.ts';

interface Flags {
  readonly limit?: string;
  readonly site?: string;
  readonly lang?: string;
  readonly group?: string;
  readonly json?: true;
}

const HELP = `
A page must have all words. "a phrase" in the quotes of the shell, -word for what it must not have (after --),
site:host for one site or host.

Examples:
  akin search web.akin prune roses
  akin search web.akin '"early spring" roses' --site example.org
  akin search web.akin -- roses -hybrid`;

/** `akin search FILE WORDS`: the answer of `GET /search`. */
export function searchCommand(terminal: Terminal): Command {
  return new Command('search')
    .description('print the pages that have some words')
    .argument('<file>', 'the index')
    .argument('<words...>', 'what to look for')
    .option('--limit <N>', 'results to print (default 10, at most 100)')
    .option('--site <HOST>', 'only pages of this host and its subdomains')
    .option('--lang <TAG>', 'only pages in this language')
    .option('--group <HOW>', 'copies folds near copies (default), none lists them')
    .option('--json', 'print the answer of the HTTP service')
    .addHelpText('after', HELP)
    .action(async (path: string, words: string[], { json, ...flags }: Flags) => {
      const query = { q: words.join(' '), ...flags };
      const answer = await ask<SearchAnswer>(path, { method: 'GET', path: '/search', query });
      if (json === true) return printJson(terminal, answer);
      print(terminal, renderSearch(answer));
    });
}
