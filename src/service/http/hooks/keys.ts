/** Lets callers in by their keys. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Key, type KeyRing, opens, type Scope } from '../../keys/key-ring.ts';
import { Problem } from '../problems/problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the caller came with; null for none. */
    akinKey: Key | null;
  }
}

const CHALLENGE = 'Bearer realm="akin"';

/** To be called after what counts requests, so that wrong keys are counted. `ring` is null where there are no keys. */
export function askForKeys(app: FastifyInstance, ring: KeyRing | null, isWritable: boolean): void {
  app.decorateRequest('akinKey', null);
  if (ring === null) {
    if (isWritable) app.addHook('onRequest', refuseBrowsers);
    return;
  }
  // As a plugin: after those that answer browsers and count requests.
  app
    .register(async () => {})
    .after(() => {
      app.addHook('onRequest', (request, _reply, done) => {
        try {
          // A browser asks without a key whether it may ask with one; what is not there needs none.
          if (request.method !== 'OPTIONS' && !request.is404) letIn(request, ring);
          done();
        } catch (error) {
          done(error as Error);
        }
      });
      if (!ring.guardsReads) return;
      app.addHook('onSend', ({ routeOptions }, reply, _payload, done) => {
        if (routeOptions.config?.scope === 'anyone') return done();
        // A shared cache would give the answer to a caller without a key.
        const control = reply.getHeader('cache-control');
        if (typeof control === 'string') reply.header('cache-control', control.replace(/^public/, 'private'));
        const vary = [reply.getHeader('vary') ?? [], 'Authorization'].flat();
        reply.header('vary', vary.join(', '));
        done();
      });
    });
}

/** Any page that a person looks at may send requests to this machine: without a key, none changes anything. */
async function refuseBrowsers({ headers, routeOptions }: FastifyRequest): Promise<void> {
  const isSent = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
  if (routeOptions.config?.scope !== 'write' || !isSent) return;
  throw new Problem('key-required', 'without a key no page is taken from a browser');
}

/** Errors  Problem `key-required`, `key-scope`. */
function letIn(request: FastifyRequest, ring: KeyRing): void {
  const wanted = scopeOf(request, ring);
  if (wanted === 'anyone') return;
  const key = keyOf(request, ring);
  request.akinKey = key;
  if (wanted === null) return;
  if (key === null) {
    const detail = 'this needs a key: send Authorization: Bearer KEY';
    throw new Problem('key-required', detail, { headers: { 'www-authenticate': CHALLENGE } });
  }
  if (!opens(key.scope, wanted)) {
    throw new Problem('key-scope', `the key has the scope ${key.scope}; this needs ${wanted}`, {
      headers: { 'www-authenticate': `${CHALLENGE}, error="insufficient_scope", scope="${wanted}"` },
    });
  }
  const { ofOneSite } = request.routeOptions.config;
  if (key.site !== null && ofOneSite === undefined) {
    throw new Problem('key-scope', 'the key is for one site; this is not answered for one site alone');
  }
  // Which field a page has that is handed over, and that of the page in its place, are for the app to know.
  if (key.field !== null && (ofOneSite === undefined || ofOneSite === 'page')) {
    throw new Problem('key-scope', 'the key is for some pages alone; this is not answered for these alone');
  }
}

/** What a request needs; null where it needs no key, 'anyone' where none is looked at. */
function scopeOf({ routeOptions }: FastifyRequest, ring: KeyRing): Scope | 'anyone' | null {
  const { scope, cost } = routeOptions.config;
  if (scope === 'anyone' || scope === 'write') return scope;
  if (!ring.guardsReads) return null;
  return scope ?? (cost === 'operation' ? 'operate' : 'write');
}

/** Null where none came. Errors  Problem `key-required` for one that is none. */
function keyOf({ headers, raw }: FastifyRequest, ring: KeyRing): Key | null {
  // Of several the first would count here, and the last perhaps in a proxy before us.
  if (raw.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'authorization').length > 1) {
    throw new Problem('key-required', 'several Authorization headers came', {
      headers: { 'www-authenticate': `${CHALLENGE}, error="invalid_request"` },
    });
  }
  const given = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  const key = given === undefined ? null : ring.find(given, Date.now());
  if (given === undefined || key !== null) return key;
  throw new Problem('key-required', 'the key is unknown, or has expired', {
    headers: { 'www-authenticate': `${CHALLENGE}, error="invalid_token"` },
  });
}
