/**
 * A child process that asks a server as fast as it answers: raw sockets, one request at a time on each,
 * answers counted by their Content-Length. Lighter than an HTTP client, so that the server is the limit.
 *
 * Takes one message { port, paths, connections, durationMs } and answers { requests, latenciesMs, failures }.
 */

import { fork } from 'node:child_process';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';

interface LoadOrder {
  readonly port: number;
  /** Whole requests, or paths of GETs. */
  readonly requests: readonly string[];
  readonly connections: number;
  readonly durationMs: number;
}

export interface LoadReport {
  readonly requestCount: number;
  readonly failureCount: number;
  readonly durationMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Runs a load in a child process. */
export function load(order: LoadOrder): Promise<LoadReport> {
  const child = fork(fileURLToPath(import.meta.url), { serialization: 'advanced' });
  return new Promise((resolve, reject) => {
    child.once('message', (report) => {
      child.disconnect();
      resolve(report as LoadReport);
    });
    child.once('error', reject);
    child.send(order);
  });
}

/** One GET as it goes over the wire. */
export function getRequest(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`;
}

async function run(order: LoadOrder): Promise<LoadReport> {
  const requests = order.requests.map((text) => Buffer.from(text));
  const latencies: number[] = [];
  let failureCount = 0;
  let next = 0;
  const startedMs = performance.now();
  const endMs = startedMs + order.durationMs;

  const converse = () =>
    new Promise<void>((resolve) => {
      const socket = connect(order.port, '127.0.0.1');
      socket.setNoDelay(true);
      let held: Buffer<ArrayBufferLike> = Buffer.alloc(0);
      let sentMs = 0;
      const ask = () => {
        sentMs = performance.now();
        if (sentMs >= endMs) {
          socket.destroy();
          return resolve();
        }
        socket.write(requests[next++ % requests.length]!);
      };
      socket.on('connect', ask);
      socket.on('data', (chunk) => {
        held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
        const bodyAt = held.indexOf('\r\n\r\n') + 4;
        if (bodyAt < 4) return;
        const head = held.toString('latin1', 0, bodyAt);
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (held.length < bodyAt + length) return;
        if (!head.startsWith('HTTP/1.1 200')) failureCount++;
        latencies.push(performance.now() - sentMs);
        held = Buffer.alloc(0);
        ask();
      });
      socket.on('error', () => {
        failureCount++;
        resolve();
      });
    });
  // Never asleep: who writes to a sleeping process pays for waking it, which here would be the server.
  let isDone = false;
  const spin = () => {
    if (!isDone) setImmediate(spin);
  };
  spin();
  await Promise.all(Array.from({ length: order.connections }, converse));
  isDone = true;
  latencies.sort((a, b) => a - b);
  return {
    requestCount: latencies.length,
    failureCount,
    durationMs: performance.now() - startedMs,
    p50Ms: latencies[Math.floor(latencies.length * 0.5)] ?? 0,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
  };
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  process.once('message', async (order) => {
    process.send!(await run(order as LoadOrder));
  });
}
