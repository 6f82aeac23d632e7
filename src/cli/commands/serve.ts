import { Command } from 'commander';
import { KNOBS, type KnobName } from '../settings/config.ts';
import { addKnobs, settle } from '../settings/options.ts';
import { SERVE_KNOBS } from '../settings/serve-knobs.ts';
import { listen } from '../terminal/listen.ts';
import { formatCount } from '../terminal/table.ts';
import { type Terminal, tell } from '../terminal/terminal.ts';

const NAMES = Object.keys(SERVE_KNOBS) as KnobName[];

const HELP = `
Ctrl-C or SIGTERM ends it once the requests under way are answered. A new index put in place of FILE
is taken up without a failed request.

Examples:
  akin serve web.akin
  akin serve web.akin --host 0.0.0.0 --port 8080
  ${KNOBS.port.env}=8080 akin serve web.akin`;

/** `akin serve FILE`: answers over HTTP until it is told to stop. */
export function serveCommand(terminal: Terminal): Command {
  const command = new Command('serve')
    .description('serve an index over HTTP')
    .argument('<file>', 'the index')
    .addHelpText('after', HELP);
  addKnobs(command, NAMES);
  return command.action(async (path: string) => {
    await listen(path, settle(command, NAMES, terminal), {
      onListening: ({ address, pageCount }) =>
        tell(terminal, `akin: ${formatCount(pageCount)} pages at ${address} (open ${address}/docs)`),
      portHint: '--port 3001',
    });
  });
}
