/** An export that fails half-way is taken for all by no one, whichever version of HTTP asks. */
import assert from 'node:assert/strict';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXPORTS } from '../../src/service/exports/table.ts';
import { fixtureApp, fixtureIndex } from './fixture-app.ts';

const SENT_ROWS = 20;

test('a reader of HTTP/1.0, as of 1.1, sees that an export breaks off', async (t) => {
  const app = await fixtureApp(await fixtureIndex());
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const { rowsOf: made } = EXPORTS.pages;
  t.after(() => Object.assign(EXPORTS.pages, { rowsOf: made }));
  let count = 0;
  const failing: typeof made = async (...asked) => {
    // Rows go out together unless they take their time.
    if (++count > 1) await sleep(20);
    if (count <= SENT_ROWS) return made(...asked);
    throw new Error('the disk is gone');
  };
  Object.assign(EXPORTS.pages, { rowsOf: failing });

  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (piece) => {
    text += piece;
  });
  socket.write('GET /export/pages HTTP/1.0\r\nHost: x\r\n\r\n');
  let fault: NodeJS.ErrnoException | null = null;
  socket.on('error', (error) => {
    fault = error;
  });
  await new Promise((resolve) => socket.once('close', resolve));
  assert.equal((fault as NodeJS.ErrnoException | null)?.code, 'ECONNRESET');
  assert.match(text, /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\n\{"url"/);

  count = 0;
  const answer = await fetch(`http://127.0.0.1:${port}/export/pages`);
  await assert.rejects(answer.text(), { message: 'terminated' });
});
