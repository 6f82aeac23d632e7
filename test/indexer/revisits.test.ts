/** A revisit, or a 304, says that a URL has what it had: the index is that of the whole response in its place. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { buildIndex } from '../../src/indexer/build-index.ts';
import { additionTo } from '../../src/indexer/options/stored-options.ts';
import { Random } from '../../src/lib/random.ts';
import { longTest } from '../long-test.ts';
import { httpResponse, warcRecord } from '../sources/archive-bytes.ts';
import { proveStore } from '../store/open-store.ts';
import { asSweeps, build, input, noting, temporaryFolder } from './build.ts';
import { document, prose } from './pages.ts';
import { differingTables } from './sweeps.ts';

const url = (path: string) => `https://example.org/${path}`;
const html = (seed: number, head = '', links = '') =>
  httpResponse(document(`page ${seed}`, `<p>${prose(seed, 60, seed)} ${links}</p>`, head));
const CONTENTS = {
  plain: html(1, '', `<a href="${url('linked')}">a word or two</a>`),
  twin: html(1, '', `<a href="${url('linked')}">a word or two</a>`),
  changing: html(2),
  named: html(3, `<link rel="canonical" href="${url('canonical')}">`),
  canonical: html(4),
  spoken: html(5, `<link rel="canonical" href="${url('unread')}">`),
  hidden: html(6, '<meta name="robots" content="noindex">'),
  led: httpResponse('', { Location: url('plain') }, '301 Moved Permanently'),
  back: html(7),
  leaving: html(8),
};
const NOT_FOUND = httpResponse('', {}, '404 Not Found');
const at = (day: number) => ({ 'WARC-Date': `2024-01-0${day}T00:00:00Z` });
type Visit = 'whole' | 'as before' | 'not modified' | Buffer;

/** One sweep as an archive: of each URL the whole response, that it is as before, or another response. */
function sweep(t: TestContext, day: number, visits: Readonly<Record<string, Visit>>): string {
  const path = join(temporaryFolder(t), `sweep-${day}.warc`);
  const records = Object.entries(visits).map(([name, visit]) => {
    if (visit === 'not modified')
      return warcRecord('response', url(name), httpResponse('', {}, '304 Not Modified'), at(day));
    if (visit !== 'as before') {
      const block = visit === 'whole' ? CONTENTS[name as keyof typeof CONTENTS] : visit;
      return warcRecord('response', url(name), block, at(day));
    }
    const profile = `http://netpreserve.org/warc/1.1/revisit/${day % 2 === 0 ? 'server-not-modified' : 'identical-payload-digest'}`;
    const more = {
      'WARC-Profile': profile,
      ...(day % 2 === 0
        ? { 'WARC-Refers-To-Target-URI': url(name) }
        : // As GNU Wget has it: of no bytes.
          { 'WARC-Block-Digest': 'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ' }),
    };
    return warcRecord('revisit', url(name), httpResponse('', {}, '200 OK'), { ...at(day), ...more });
  });
  writeFileSync(path, Buffer.concat(records));
  return path;
}

const all = (visit: Visit) =>
  Object.fromEntries(Object.keys(CONTENTS).map((name) => [name, visit])) as Record<string, Visit>;

/** Four sweeps; what is met as it was is so many bytes, or a revisit. */
function sweeps(t: TestContext, again: Visit): string[] {
  return [
    sweep(t, 1, all('whole')),
    sweep(t, 2, { ...all(again), changing: html(20), back: NOT_FOUND }),
    sweep(t, 3, { ...all(again), changing: html(20), back: 'whole', leaving: NOT_FOUND }),
    sweep(t, 4, { plain: again, named: html(30), spoken: again, changing: html(20), back: again }),
  ];
}

async function add(target: string, path: string, sweepName = ''): Promise<Readonly<Record<string, number>>> {
  const report = await buildIndex(
    additionTo({ target, inputs: [input(path)], sweepName, memoryBytes: 64 << 20, workerCount: 1 }),
    noting().listener,
  );
  return report.skipped;
}

async function built(t: TestContext, paths: readonly string[]): Promise<string> {
  return (await build(t, { inputs: asSweeps(paths.map((path) => input(path))) })).target;
}

test('revisits make the index that whole responses make', async (t) => {
  const whole = await built(t, sweeps(t, 'whole'));
  for (const again of ['as before', 'not modified'] as const)
    assert.deepEqual(differingTables(await built(t, sweeps(t, again)), whole), [], again);
});

longTest('and sweep by sweep', async (t) => {
  const added = async ([first, ...others]: readonly string[]) => {
    const target = await built(t, [first!]);
    for (const path of others) assert.equal((await add(target, path))['revisit'], undefined);
    return target;
  };
  const target = await added(sweeps(t, 'as before'));
  assert.deepEqual(differingTables(target, await added(sweeps(t, 'whole'))), []);
  proveStore(target);
});

/** Of one page a sweep a visit: a whole response, a 304, or a revisit of the content of an earlier day. */
function history(t: TestContext, visits: readonly (Buffer | 'not modified' | number)[], when = at): string[] {
  return visits.map((visit, i) => {
    const path = join(temporaryFolder(t), `day-${i + 1}.warc`);
    const others = warcRecord('response', url('plain'), CONTENTS.plain, when(i + 1));
    const block = visit === 'not modified' ? httpResponse('', {}, '304 Not Modified') : httpResponse('');
    const refers = typeof visit === 'number' && {
      'WARC-Profile': 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest',
      'WARC-Refers-To-Target-URI': url('page'),
      'WARC-Refers-To-Date': when(visit)['WARC-Date'],
    };
    const record = Buffer.isBuffer(visit)
      ? warcRecord('response', url('page'), visit, when(i + 1))
      : warcRecord(refers ? 'revisit' : 'response', url('page'), block, { ...when(i + 1), ...refers });
    writeFileSync(path, Buffer.concat([others, record]));
    return path;
  });
}

test('a page that changed back, as a revisit says that names the capture, has the history of whole responses', async (t) => {
  const [x, y, z] = [html(2), html(20), html(21)];
  const revisits = history(t, [x, y, 1, 'not modified', 2, z, 3, 6, y]);
  const whole = history(t, [x, y, x, x, y, z, x, z, y]);
  assert.deepEqual(differingTables(await built(t, revisits), await built(t, whole)), []);
  // While no sweep has it whole again the page is what it was last, and its history what it had.
  const { reader } = await build(t, { inputs: asSweeps(revisits.slice(0, 4).map((path) => input(path))) });
  const page = reader.findPage(url('page'))!;
  const versions = reader.captures(page).map(({ versionId }) => versionId);
  assert.deepEqual([versions[2], versions[3]], [versions[0], versions[0]]);
  assert.notEqual(versions[1], versions[0]);
  assert.equal(reader.page(page).title, 'page 20');
});

test('captures of one second are not mixed up where their times are finer', async (t) => {
  const within = (day: number) => ({ 'WARC-Date': `2026-03-01T00:00:00.${day}00Z` });
  const [x, y] = [html(2), html(20)];
  const revisits = history(t, [x, y, 1, 2], within);
  const whole = history(t, [x, y, x, y], within);
  assert.deepEqual(differingTables(await built(t, revisits), await built(t, whole)), []);
});

longTest('and sweep by sweep, of any history', async (t) => {
  const random = new Random(7);
  const canonical = (path: string) => `<link rel="canonical" href="${url(path)}">`;
  const states = [html(2), html(20), html(22, canonical('a')), html(23, canonical('b')), CONTENTS.hidden];
  const others = [NOT_FOUND, httpResponse('', { Location: url('a') }, '301 Moved Permanently')];
  for (let round = 0; round < 12; round++) {
    const paths = history(
      t,
      Array.from({ length: 7 }, (_, day) => {
        const kind = random.below(10);
        if (day > 0 && kind < 5) return 1 + random.below(day);
        if (kind === 5) return 'not modified';
        return kind === 6 ? others[random.below(2)]! : states[random.below(kind === 7 ? 5 : 2)]!;
      }),
    );
    const target = await built(t, paths.slice(0, 1));
    for (const [i, path] of paths.slice(1).entries()) {
      await add(target, path, `day-${i + 2}`);
      assert.deepEqual(differingTables(target, await built(t, paths.slice(0, i + 2))), [], `round ${round}`);
    }
    assert.deepEqual(differingTables(await built(t, [target]), target), []);
  }
});

test('a page that is as before and another one in one sweep was what it was before in the sweeps before', async (t) => {
  const other = html(9, `<link rel="canonical" href="${url('elsewhere')}">`);
  const inputs = [
    { ...input(sweep(t, 1, { named: 'whole' })), sweep: 'first' },
    { ...input(sweep(t, 2, { named: 'as before' })), sweep: 'second' },
    { ...input(sweep(t, 2, { named: other })), sweep: 'second' },
  ];
  const { target, reader } = await build(t, { inputs });
  const elsewhere = reader.findPage(url('elsewhere'))!;
  assert.deepEqual(
    reader.captures(elsewhere).map(({ sweepId }) => sweepId),
    [1, 2],
  );
  assert.deepEqual(differingTables(await built(t, [target]), target), []);
});

test('a revisit of what the index does not know, or of another visit of the same sweep, is passed over', async (t) => {
  const { target, report } = await build(t, {
    inputs: [input(sweep(t, 1, { plain: 'whole', twin: 'as before', back: 'not modified' }))],
  });
  assert.deepEqual(report.skipped, { revisit: 1, status: 1 });
  const { skipped } = await buildIndex(
    additionTo({
      target,
      inputs: [
        input(sweep(t, 3, { plain: 'whole' })),
        input(sweep(t, 4, { plain: 'as before', led: 'as before' })),
      ],
      sweepName: 'both',
      memoryBytes: 64 << 20,
      workerCount: 1,
    }),
    noting().listener,
  );
  assert.deepEqual(skipped, { revisit: 2 });
  await assert.rejects(add(target, sweep(t, 5, { led: 'as before' })), { code: 'AKIN_ERR_INPUT_EMPTY' });
});
