import { existsSync, statSync } from 'node:fs';
import { Command } from 'commander';
import { ConfigError } from '../../errors.ts';
import type { Upkeep } from '../../service/index/upkeep.ts';
import type { Archives } from '../../service/live/folds.ts';
import type { Serving } from '../../service/serve.ts';
import { pagesText } from '../build/report-text.ts';
import { type Config, KNOBS, namesOf } from '../settings/config.ts';
import { keysOf } from '../settings/keys.ts';
import { addKnobs, configOf } from '../settings/options.ts';
import { SERVE_KNOBS } from '../settings/serve-knobs.ts';
import { endSoon, onFirstSignal } from '../terminal/process-end.ts';
import { print, type Terminal } from '../terminal/terminal.ts';
import { waitingTexts } from '../terminal/waiting-pages.ts';
import { ChildCommands } from '../up/child-commands.ts';
import { livePages, requireFiles, requireWriters, targetOf } from '../up/live-pages.ts';

const NAMES = namesOf(SERVE_KNOBS);

const HELP = `
FILE is a whole index, or the files are all shards of one, in any order, or it is the folder that has them. Shards may be served by processes of their
own, one or more on each machine; --shards then serves them all as one. A shard that is lost is named in the
answers that lack it ("partial": true); all others go on.

Ctrl-C or SIGTERM stops the server after it has answered the open requests. When FILE is replaced by a new
index, the server switches to it without a failed request. Standard error has the log, all of it lines of JSON.

Keys of callers are lines of --keys FILE, or AKIN_READ_KEY and AKIN_WRITE_KEY; akin key new makes one. Once there is a
key of the scope read, every question needs a key.

With --writable pages are handed over by PUT, POST and DELETE /pages: when the answer comes they are kept beside FILE and seen in
answers. A build in a process of its own folds them in later; all shards together take pages as a whole index does. Any number of servers with --follow show them, too, on the same machine.

Examples:
  akin serve web.akin
  akin serve web.akin --writable --fold-after-ms 60000
  akin serve web.akin --follow --port 3001
  akin serve shop.akin --rules rules.json
  akin serve web.akin --host 0.0.0.0 --port 8080
  akin serve shards/
  akin serve shards/ --writable
  akin serve --shards http://10.0.0.1:3000,http://10.0.0.2:3000
  ${KNOBS.port.env}=8080 akin serve web.akin`;

/** `akin serve FILE...`: answers over HTTP until a signal stops it. */
export function serveCommand(terminal: Terminal): Command {
  const command = new Command('serve')
    .description('serve an index over HTTP')
    .argument('[files...]', 'the index, all its shards, or the folder of these')
    .addHelpText('after', HELP);
  addKnobs(command, NAMES);
  return command.action(async (given: string[]) => {
    const config = configOf(command, NAMES, terminal);
    requireOneSource(given, config);
    const paths = await filesAt(given);
    const unseen = config.writable || config.follow ? [] : await waitingTexts(paths);
    const signal = await listen(paths, config, {
      onListening: (listening) => {
        for (const text of unseen)
          print(terminal, `akin: ${text} is not shown: --writable or --follow shows it`);
        print(terminal, whereItIs(listening, config));
      },
      portHint: '--port 3001',
      terminal,
    });
    endSoon(signal);
  });
}

/** Files as they are given, of a folder its shards. Errors  as `shardsIn`. */
async function filesAt(paths: readonly string[]): Promise<string[]> {
  const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!paths.some(isFolder)) return [...paths];
  const { shardsIn } = await import('../../store/read/shard-files.ts');
  return paths.flatMap((path) => (isFolder(path) ? shardsIn(path) : [path]));
}

/** Errors  ConfigError AKIN_ERR_CONFIG unless there are files or servers, and not both; for what is kept beside a file without one. */
function requireOneSource(paths: readonly string[], config: Config): void {
  const { shardUrls, feedback, ruleFile, follow } = config;
  const kept = [feedback && '--feedback', ruleFile !== '' && '--rules', follow && '--follow'].find(Boolean);
  if (shardUrls !== '' && kept !== undefined) {
    throw new ConfigError(
      'AKIN_ERR_CONFIG',
      `${kept} is kept beside an index file; with --shards there is none`,
      {
        hint: `leave ${kept} out, or serve the files of all shards from one process`,
      },
    );
  }
  if (paths.length > 0 !== (shardUrls !== '')) return;
  const what = paths.length > 0 ? 'files and --shards are given' : 'there is nothing to serve';
  throw new ConfigError('AKIN_ERR_CONFIG', what, {
    hint: 'akin serve FILE..., or akin serve --shards URL,URL',
  });
}

interface Door {
  readonly onListening: (listening: Listening) => void;
  readonly portHint: string;
  readonly terminal: Terminal;
  /** What is crawled beside the server. */
  readonly crawled?: {
    readonly upkeep: () => Upkeep;
    readonly archives: () => Archives | null;
    /** A signal that came before there was a server. */
    readonly stopping: AbortSignal;
  };
}

type Listening = Pick<Serving, 'address' | 'pageCount' | 'fetchedPageCount' | 'shard' | 'pageDoor'>;

/** What is served where, for who started it. */
export function whereItIs(
  { address, shard, ...counts }: Pick<Listening, 'address' | 'pageCount' | 'fetchedPageCount' | 'shard'>,
  { basePath, explorer }: Pick<Config, 'basePath' | 'explorer'>,
): string {
  const root = address + basePath;
  const part = shard === null ? '' : `, shard ${shard.number} of ${shard.count} alone`;
  const what = `${pagesText({ ...counts, gonePageCount: 0 })}${part}`;
  const comma = what.includes(', ') ? ',' : '';
  return `akin: ${what}${comma} at ${root}${explorer ? ` (open ${root}/)` : ''}`;
}

/** The settings of `akin serve` in the service's own terms. */
function serveOptions(config: Config) {
  const { host, port, basePath, drainMs, closeTimeoutMs, logLevel, getPerMinute, postPerMinute } = config;
  const unlimited = getPerMinute === 0 && postPerMinute === 0;
  return {
    host,
    port,
    basePath,
    drainMs,
    closeTimeoutMs,
    logLevel,
    logRequests: config.logRequests,
    exports: config.exports,
    replayUrl: config.replayUrl,
    ...(config.corsOrigins !== '*' && { corsOrigins: listed(config.corsOrigins) }),
    rateLimits: unlimited ? null : { getPerMinute: orAny(getPerMinute), postPerMinute: orAny(postPerMinute) },
    feedback: config.feedback ? { maxBytes: config.maxFeedback, perMinute: config.feedbackPerMinute } : null,
    trustProxy: config.trustProxy === '*' || (config.trustProxy !== '' && listed(config.trustProxy)),
  };
}

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
const orAny = (perMinute: number): number => perMinute || Number.MAX_SAFE_INTEGER;

/**
 * Serves an index, or without a path the servers of its shards, until SIGTERM or SIGINT, and resolves to which it was once it has stopped. A second signal ends it at once.
 *
 * Errors  ConfigError AKIN_ERR_CONFIG where the address cannot be listened on; as `IndexReader.open`.
 */
export async function listen(
  indexPath: string | readonly string[],
  config: Config,
  { onListening, portHint, terminal, crawled }: Door,
): Promise<NodeJS.Signals> {
  const { serve } = await import('../../service/serve.ts');
  const { addExplorer } = await import('../../explorer/explorer.ts');
  const keys = keysOf(config, terminal);
  for (const name of ['writable', 'follow'] as const) {
    if (config[name]) requireFiles(indexPath, KNOBS[name].flag!);
  }
  if (config.writable) requireWriters(config, keys);
  if (config.ruleFile !== '') await takeRules(indexPath, config.ruleFile);
  const children = new ChildCommands(terminal.env);
  const isLive = config.writable || crawled !== undefined;
  let serving: Serving;
  try {
    serving = await serve({
      indexPath,
      ...serveOptions(config),
      keys,
      follow: config.follow,
      live: isLive ? livePages(await targetOf(indexPath), config, children, crawled?.archives) : null,
      ...(indexPath.length === 0 && {
        peers: { urls: listed(config.shardUrls), timeLimitMs: config.shardTimeoutMs },
      }),
      ...(crawled && { upkeep: crawled.upkeep }),
      ...(config.explorer && { extend: addExplorer }),
    });
  } catch (error) {
    throw asListenError(error, config, portHint);
  }
  // Who reads that it listens may end it at once.
  const signal = crawled?.stopping.aborted === true ? 'SIGTERM' : new Promise<NodeJS.Signals>(onFirstSignal);
  onListening(serving);
  const ended = await signal;
  await serving.close();
  return ended;
}

/** Errors  ConfigError AKIN_ERR_CONFIG where the file cannot be read. */
async function takeRules(indexPath: string | readonly string[], file: string): Promise<void> {
  const { keepRules, rulesIn } = await import('../../service/rules/kept-rules.ts');
  const { rulesPathOf } = await import('../../store/rules-file.ts');
  if (!existsSync(file)) {
    throw new ConfigError('AKIN_ERR_CONFIG', `there is no file ${file}`, {
      hint: 'give --rules the path of one',
    });
  }
  const { inShardOrder } = await import('../../store/read/shard-files.ts');
  keepRules(rulesPathOf(inShardOrder([indexPath].flat())[0]!), rulesIn(file));
}

function asListenError(error: unknown, { host, port }: Config, portHint: string): unknown {
  switch ((error as { code?: unknown } | null)?.code) {
    case 'EADDRINUSE':
      return new ConfigError('AKIN_ERR_CONFIG', `port ${port} of ${host} is used by another program`, {
        hint: `stop that program, or choose another port: ${portHint}`,
        cause: error,
      });
    case 'EACCES':
      return new ConfigError(
        'AKIN_ERR_CONFIG',
        `this user is not allowed to listen on port ${port} of ${host}`,
        {
          hint: `choose a port from 1024 up: ${portHint}`,
          cause: error,
        },
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigError('AKIN_ERR_CONFIG', `${host} is not an address of this machine`, {
        hint: 'use 127.0.0.1 for this machine only, 0.0.0.0 for the network',
        cause: error,
      });
    default:
      return error;
  }
}
