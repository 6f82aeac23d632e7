import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cutText } from '../../lib/cut-text.ts';
import { keptIn } from '../../lib/kept.ts';
import { addressOf, linkBase } from './base-path.ts';
import { Problem } from './problems/problem.ts';

/** Methods that a path takes, OPTIONS not among them; none where there is no such path. */
export type MethodsAt = (path: string) => string[];

/** Knows every path and its methods, so that a wrong method and a wrong path get different answers. */
export function refuseUnknownRoutes(app: FastifyInstance): MethodsAt {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url === '*' || url === '/*') return;
    const methods = keptIn(methodsOf, url, () => new Set());
    for (const name of [method].flat()) methods.add(name);
  });
  const methodsAt: MethodsAt = (path) => {
    const patterns = [...methodsOf].filter(([pattern]) => matches(pattern, path));
    return [...new Set(patterns.flatMap(([, methods]) => [...methods]))].sort();
  };

  // Before its body is read, and before the framework finds fault with that.
  app.addHook('preParsing', (request, _reply, _body, done) => {
    done(request.is404 ? refusalOf(request) : null);
  });
  app.setNotFoundHandler((request) => {
    throw refusalOf(request);
  });
  const refusalOf = (request: FastifyRequest): Problem => {
    const path = pathOf(request);
    const shown = addressOf(request).split('?', 1)[0]!;
    const methods = methodsAt(path);
    if (methods.length > 0 && !methods.includes(request.method)) {
      const allow = [...methods, 'OPTIONS'].sort().join(', ');
      return new Problem('method-not-allowed', `${shown} allows only ${allow}`, { headers: { allow } });
    }
    return new Problem(
      'route-not-found',
      `${cutText(shown, 200)} is not a path of this service; ${linkBase(request)}/docs lists them`,
    );
  };
  return methodsAt;
}

/** Without the query. */
export function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0]!;
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/', wanted.length + 1);
  for (const [i, part] of wanted.entries()) {
    if (part === '*') return given.length >= i;
    if (given[i] === undefined || (part !== given[i] && !part.startsWith(':'))) return false;
  }
  return wanted.length === given.length;
}
