import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { optionFault } from '../../errors.ts';
import { type KnobName, knobOf, namesOf } from '../settings/config.ts';
import { parseDuration, UP_KNOBS } from '../settings/crawl-knobs.ts';
import { requireFolder } from '../settings/inputs.ts';
import { addKnobs, configOf, givenFlags } from '../settings/options.ts';
import { parseSeeds } from '../settings/seeds.ts';
import { SERVE_KNOBS } from '../settings/serve-knobs.ts';
import { endSoon, onFirstSignal } from '../terminal/process-end.ts';
import { type Terminal, tell } from '../terminal/terminal.ts';
import { ChildCommands } from '../up/child-commands.ts';
import { UpCycle } from '../up/up-cycle.ts';
import { CRAWL_NAMES } from './crawl.ts';
import { listen, whereItIs } from './serve.ts';

/** It follows no other process and serves no other servers: it takes pages itself. */
const SERVE_NAMES = namesOf(SERVE_KNOBS).filter(
  (name) => name !== 'follow' && name !== 'shardUrls' && name !== 'shardTimeoutMs',
);
const UP_NAMES = namesOf(UP_KNOBS);

const HELP = `
The folder gets the crawl (crawl/) and the index (web.akin). You can stop it at any time: the same command goes
on where it stopped. With --every it crawls again on that schedule. New pages, changed and gone ones are seen when the
crawl ends, and folded into the index like those of akin serve --writable (--fold-share, --fold-after-ms); where they are many, with
the fold.

Examples:
  akin up https://example.org/ --contact https://me.example/bot
  akin up https://example.org/ --every 1d --to example/ --port 8080`;

/** `akin up SEED...`: from a site to its related pages in one command: crawls, indexes, serves, and crawls again. */
export function upCommand(terminal: Terminal): Command {
  const command = new Command('up')
    .description('crawl sites, index and serve them, and keep them fresh')
    .argument('<seed...>', 'where to begin, as for akin crawl')
    .option('--to <FOLDER>', 'where all is kept', 'akin-up')
    .addHelpText('after', HELP);
  addKnobs(command, [...UP_NAMES, ...CRAWL_NAMES, ...SERVE_NAMES]);
  return command.action(async (words: string[], { to }: { to: string }) => {
    const config = configOf(command, [...UP_NAMES, ...CRAWL_NAMES, ...SERVE_NAMES], terminal);
    if (config.partition !== '1/1') {
      throw optionFault('--partition is for akin crawl: one part is no whole site');
    }
    parseSeeds(words);
    requireFolder(to, '--to akin-up');
    mkdirSync(to, { recursive: true });
    const flags = givenFlags(command, CRAWL_NAMES);
    const written = (name: KnobName) => {
      const value = flags[name];
      if (value === undefined) return [];
      const { flag, placeholder } = knobOf(name);
      return placeholder === '' ? [flag!] : [flag!, value];
    };
    const children = new ChildCommands(terminal.env);
    const cycle = new UpCycle(to, children, {
      seeds: words,
      crawlFlags: CRAWL_NAMES.flatMap(written),
      indexFlags: written('maxPageBytes'),
      everyMs: parseDuration(config.every) ?? 0,
      foldShare: config.foldShare,
    });
    onFirstSignal(() => children.stop());
    const say = (text: string) => tell(terminal, `akin: ${text}`);
    if (!(await cycle.untilIndexed(say))) return;
    tell(terminal, 'akin: serving; Ctrl-C ends it, and the same call goes on');
    let keeping: Promise<void> | undefined;
    const signal = await listen(join(to, 'web.akin'), config, {
      onListening: (listening) => {
        tell(terminal, whereItIs(listening, config));
        keeping = cycle.keepFresh(listening.pageDoor!, say);
      },
      portHint: '--port 3001',
      terminal,
      crawled: {
        upkeep: () => cycle.upkeep(),
        archives: () => cycle.archives(),
        stopping: children.signal,
      },
    });
    children.stop();
    await keeping;
    endSoon(signal);
  });
}
