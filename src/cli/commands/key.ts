import { Argument, Command, Option } from 'commander';
import { optionFault } from '../../errors.ts';
import { type NewKey, newKey, SCOPES } from '../../service/keys/key-ring.ts';
import { print, type Terminal, tell } from '../terminal/terminal.ts';

const HELP = `
The first line printed is the key, for the caller: it is shown once, and kept nowhere. The second is its line for the file
of akin serve --keys: it holds a digest of the key. To withdraw a key, remove its line and start the server again.

A caller sends it as Authorization: Bearer KEY. Each scope opens what those before it open:
  read     what a page shows: /related, /related.html, /related/batch, /search; such a key may stand in a page
  write    all questions, and changes of pages
  operate  everything at once (/export/...) and /metrics

Examples:
  akin key new --name blog --scope read
  akin key new --name shop --scope read --site shop.example --expires 2030-01-31
  akin key new --name acme --scope read --field tenant=acme`;

/** `akin key new`: a key for callers of a server, and the line that lets it in. */
export function keyCommand(terminal: Terminal): Command {
  return new Command('key')
    .description('print a new key for the callers of a server, and its line for the file of keys')
    .addArgument(new Argument('<action>', 'what to do').choices(['new']))
    .requiredOption('--name <NAME>', 'what logs call it')
    .addOption(new Option('--scope <SCOPE>', 'what it opens').choices(SCOPES).makeOptionMandatory())
    .option('--site <SITE>', 'the only site whose pages it is answered with')
    .option('--field <NAME=VALUE>', 'the only pages that it is answered with: those with this field')
    .option('--expires <DATE>', 'date or time from which it opens nothing')
    .addHelpText('after', HELP)
    .action((_action: string, flags: NewKey) => {
      const { key, line, expiresMs } = newKey(flags);
      if (expiresMs !== null && expiresMs <= Date.now()) {
        throw optionFault(
          `--expires ${flags.expires} is past: the key would open nothing`,
          'give a later date',
        );
      }
      print(terminal, `${key}\n${line}`);
      tell(terminal, 'akin: give the first line to the caller, add the second to the file of --keys');
    });
}
