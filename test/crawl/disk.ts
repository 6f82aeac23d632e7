/** Crawls to a disk without room: said to be so, and gone on with, once there is some, with nothing lost. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { serveSites, starter } from './kill.ts';
import { archivedUrls, logOf } from './loopback.ts';

/**
 * @param folder of the crawl.
 * @param limits shell commands that go before the runs, the last one for a run that has room.
 */
export async function crawlWithoutRoom(
  t: TestContext,
  folder: string,
  pageCount: number,
  limits: readonly string[],
): Promise<void> {
  const expected = await serveSites(t, pageCount, () => {});
  let limit = '';
  const { run } = starter(folder, () => limit);
  let isBegun = false;
  let failures = 0;
  for (limit of limits) {
    const { code, text } = await run(isBegun ? '--resume' : expected[0]!);
    if (isBegun && /there is no crawl in/.test(text)) {
      isBegun = false;
      continue;
    }
    isBegun = true;
    if (code === 0) break;
    failures++;
    assert.equal(code, 6, `${limit}: ${text}`);
    assert.match(
      text,
      /akin: cannot write .*\nhint: free some space; then akin crawl --resume --to \S+ goes on/,
    );
    assert.doesNotMatch(text, /\n\s+at |bug in akin|rollback/, limit);
  }
  assert.ok(failures > 0, 'there was no room');
  assert.deepEqual(await archivedUrls(folder), expected.toSorted(), 'every page once');
  const logged = logOf(folder).flatMap(({ url, kind }) => (kind === undefined ? [String(url)] : []));
  assert.deepEqual(logged.toSorted(), expected.toSorted(), 'every page once in the log');
}
