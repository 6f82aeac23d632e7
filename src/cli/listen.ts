import { ConfigError } from '../errors.ts';

export interface ListenOptions {
  readonly indexPath: string;
  readonly host: string;
  readonly port: number;
}

/**
 * Serves an index until SIGTERM or SIGINT, and resolves once it has stopped.
 *
 * Errors  ConfigError AKIN_ERR_CONFIG where the address cannot be listened on; as `IndexReader.open`.
 */
export async function listen(
  options: ListenOptions,
  { onListening, portHint }: { onListening: (address: string) => void; portHint: string },
): Promise<void> {
  const { serve } = await import('../service/serve.ts');
  try {
    await serve({ ...options, onListening });
  } catch (error) {
    throw asListenError(error, options, portHint);
  }
}

function asListenError(error: unknown, { host, port }: ListenOptions, portHint: string): unknown {
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
