import { ConfigError } from '../../errors.ts';
import type { Config } from '../settings/config.ts';

export interface Listening {
  readonly address: string;
  readonly pageCount: number;
}

/** The settings of `akin serve` in the service's own terms. */
export function serveOptions(config: Config) {
  const { host, port, drainMs, closeTimeoutMs, logLevel, getPerMinute, postPerMinute } = config;
  const unlimited = getPerMinute === 0 && postPerMinute === 0;
  return {
    host,
    port,
    drainMs,
    closeTimeoutMs,
    logLevel,
    ...(config.corsOrigins !== '*' && { corsOrigins: listed(config.corsOrigins) }),
    rateLimits: unlimited ? null : { getPerMinute: orAny(getPerMinute), postPerMinute: orAny(postPerMinute) },
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
 * Serves an index until SIGTERM or SIGINT, and resolves once it has stopped. A second signal ends it at once.
 *
 * Errors  ConfigError AKIN_ERR_CONFIG where the address cannot be listened on; as `IndexReader.open`.
 */
export async function listen(
  indexPath: string,
  config: Config,
  { onListening, portHint }: { onListening: (listening: Listening) => void; portHint: string },
): Promise<void> {
  const { serve } = await import('../../service/serve.ts');
  let serving: Awaited<ReturnType<typeof serve>>;
  try {
    serving = await serve({ indexPath, ...serveOptions(config) });
  } catch (error) {
    throw asListenError(error, config, portHint);
  }
  onListening(serving);
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve()).once('SIGTERM', () => resolve());
  });
  await serving.close();
}

function asListenError(error: unknown, { host, port }: Config, portHint: string): unknown {
  switch ((error as { code?: unknown } | null)?.code) {
    case 'EADDRINUSE':
      return new ConfigError('AKIN_ERR_CONFIG', `port ${port} of ${host} is taken by another program`, {
        hint: `end that program, or take another port: ${portHint}`,
        cause: error,
      });
    case 'EACCES':
      return new ConfigError('AKIN_ERR_CONFIG', `this user may not listen on port ${port} of ${host}`, {
        hint: `take a port from 1024 up: ${portHint}`,
        cause: error,
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigError('AKIN_ERR_CONFIG', `${host} is no address of this machine`, {
        hint: 'use 127.0.0.1 for this machine alone, 0.0.0.0 for the network',
        cause: error,
      });
    default:
      return error;
  }
}
