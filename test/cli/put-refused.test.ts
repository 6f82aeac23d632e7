/** `akin put` where a proxy or a server does not take what it is sent: what is sent again, and what is said. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { selfSigned } from '../net/certificate.ts';
import { newFolder } from '../new-folder.ts';
import { akin } from './terminal.ts';

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  return (server.address() as AddressInfo).port;
}

function fileOf(lengths: readonly number[]): string {
  const path = join(newFolder('put'), 'pages.jsonl');
  const record = (length: number, i: number) => ({
    url: `https://put.example/${i}`,
    text: 'rose '.repeat(length / 5),
  });
  writeFileSync(path, lengths.map((length, i) => `${JSON.stringify(record(length, i))}\n`).join(''));
  return path;
}

/** As nginx does it: a body of more than 4 kB is refused in HTML, whatever it is. */
function proxy(kept: string[], sizes: number[]): RequestListener {
  return async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    sizes.push(body.length);
    if (body.length > 4000) return void response.writeHead(413).end('<h1>413</h1>');
    const urls = String(body)
      .split('\n')
      .map((line) => JSON.parse(line).url as string);
    kept.push(...urls);
    const counts = {
      received: urls.length,
      added: urls.length,
      changed: 0,
      unchanged: 0,
      older: 0,
      deleted: 0,
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...counts, failed: 0, errors: [], stopped: null, sequence: kept.length }));
  };
}

test('where a proxy takes less at once, less is sent; a page that is too large alone is named', async () => {
  const kept: string[] = [];
  const sizes: number[] = [];
  const port = await portOf(createServer(proxy(kept, sizes)));
  const lengths = Array.from({ length: 40 }, (_, i) => (i === 17 ? 5000 : 500));
  const server = `http://127.0.0.1:${port}`;
  const put = await akin(['put', fileOf(lengths), '--server', server, '--json']);
  assert.equal(put.code, 3, put.stderr);
  const urls = lengths.flatMap((_, i) => (i === 17 ? [] : [`https://put.example/${i}`]));
  assert.deepEqual(kept, urls, 'each once, in their order');
  assert.match(put.stderr, /put\.example\/17: a record of 5\.0 kB is more .* client_max_body_size/);
  const { added, failed, received, sequence } = JSON.parse(put.stdout);
  assert.deepEqual([added, failed, received, sequence], [39, 1, 40, 39]);
  // What was refused once is not tried again, and what is too large alone makes no other smaller.
  assert.equal(sizes.filter((size) => size > 4000).length, 4, `${sizes}`);
  assert.ok(sizes.length < 20, `${sizes}`);
});

test('who cannot be reached is said with the reason, and what helps against it', async () => {
  const page = fileOf([5]);
  const tls = await portOf(createTlsServer(selfSigned('127.0.0.1'), (_request, response) => response.end()));
  const plain = await portOf(createServer((_request, response) => response.end()));
  const idle = createServer();
  const closed = await portOf(idle);
  await new Promise((resolve) => idle.close(resolve));
  for (const [server, why] of [
    [`https://127.0.0.1:${tls}`, /cannot be reached: self.signed certificate.*NODE_EXTRA_CA_CERTS=FILE/s],
    [`https://127.0.0.1:${plain}`, /cannot be reached: .*look at the address of --server/s],
    [`http://127.0.0.1:${closed}`, /cannot be reached: .*start it: akin serve FILE --writable/s],
    ['http://nowhere.invalid', /cannot be reached: .*nowhere\.invalid.*look at the address/s],
  ] as const) {
    const put = await akin(['put', page, '--server', server]);
    assert.equal(put.code, 6, put.stderr);
    assert.match(put.stderr, why);
  }
});

test('that it waits for room is said once', async () => {
  let count = 0;
  const kept: string[] = [];
  const take = proxy(kept, []);
  const port = await portOf(
    createServer((request, response) => {
      if (count++ > 1) return take(request, response);
      request.resume();
      response.writeHead(503, { 'retry-after': '0.01', 'content-type': 'application/problem+json' });
      response.end('{"detail":"too many pages wait"}');
    }),
  );
  const server = `http://127.0.0.1:${port}`;
  const put = await akin(['put', fileOf([5]), '--server', server]);
  assert.deepEqual([put.code, put.stdout, kept.length], [0, '1 added\n', 1], put.stderr);
  const waits = `akin: ${server} keeps no more for now: too many pages wait; waiting, half an hour at most\n`;
  assert.equal(put.stderr, waits);
});
