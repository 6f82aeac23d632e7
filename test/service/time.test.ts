import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { asker, type Body, fixtureApp, pathOf, type Query } from './fixture-app.ts';
import { temporaryFolder } from './fixture-index.ts';
import {
  ALIAS,
  ESSAY,
  ESSAY_TEXT,
  EXCERPT,
  edited,
  GONE,
  LINKED,
  MIRROR,
  NEAR,
  NEW,
  OLD,
  OLD_TEXT,
  SHOUTED,
  STEADY,
  UNDATED,
  writeSweepsIndex,
} from './sweeps-index.ts';

const indexPath = join(temporaryFolder({ after }), 'sweeps.akin');
writeSweepsIndex(indexPath);
const app = await fixtureApp(indexPath);
const ask = asker(app);
type Candidate = { url: string; evidence: string[]; current: boolean; resemblance: number };

test('a page that moved is found at its new address, with what speaks for it', async () => {
  const { status, body } = await ask('/moved', { url: OLD });
  assert.equal(status, 200);
  assert.deepEqual(
    [body.url, body.state, body.gone, body.last_seen.sweep],
    [OLD, 'not_seen_since', false, 'sweep-1'],
  );
  assert.deepEqual(
    body.candidates.map(({ url, evidence, current }: Candidate) => [url, evidence, current]),
    [[NEW, ['resemblance', 'title'], true]],
  );
  const [found] = body.candidates;
  assert.ok(found.resemblance > 0.8 && found.resemblance < 1);
  assert.deepEqual([found.measure, found.last_seen.sweep], ['exact', 'sweep-3']);
});

test('how sure a place is goes by the text that is there, and what is lost itself is none', async () => {
  const strengths = async (url: string, query = {}) =>
    (await ask('/moved', { url, ...query })).body.candidates.map((one: Body) => [one.url, one.strength]);
  assert.deepEqual(await strengths(OLD), [[NEW, 'now_at']]);
  assert.deepEqual(await strengths(ALIAS), [
    [NEW, 'now_at'],
    [OLD, 'gone'],
  ]);
  // Of the first text of SHOUTED nothing is left anywhere; EXCERPT has a tenth of that of MIRROR.
  const parts = await strengths(MIRROR, { min_containment: 0.05 });
  assert.deepEqual(parts.at(-1), [EXCERPT, 'parts_in']);
  const { body } = await ask('/moved', { url: OLD });
  const { passage } = body.candidates[0];
  assert.match(passage, /^.{200,240} …$/s);
  assert.ok(edited(OLD_TEXT, 100).includes(passage.slice(0, -2)));
});

test('a page that says not found gets a fragment, empty where nothing is known', async () => {
  const fragment = await ask('/moved.html', { url: OLD });
  assert.equal(fragment.status, 200);
  assert.match(
    fragment.text,
    /^<section class="akin-moved">\n<h2 class="akin-heading">This page is now at<\/h2>/,
  );
  assert.match(fragment.text, new RegExp(`<a class="akin-link" href="${NEW}"`));
  assert.equal(fragment.headers['x-frame-options'], undefined);
  for (const [url, reason] of [
    ['https://garden.example/never', 'not_indexed'],
    [GONE, 'nowhere'],
  ] as const) {
    const { status, text } = await ask('/moved.html', { url });
    assert.deepEqual(
      [status, text],
      [200, `<section class="akin-moved" data-reason="${reason}"></section>\n`],
    );
  }
  assert.equal(
    (await ask('/moved.html', { url: 'https://garden.example/never', missing: '404' })).status,
    404,
  );
  const { status, body } = await ask('/moved', { url: 'https://garden.example/never', missing: '200' });
  assert.deepEqual([status, body.state, body.candidates], [200, 'not_indexed', []]);
});

test('an alias leads to its page, and to where else the page was', async () => {
  const { body } = await ask('/moved', { url: ALIAS });
  assert.deepEqual(
    body.candidates.map(({ url, evidence, current }: Candidate) => [url, evidence, current]),
    [
      [NEW, ['redirect', 'same_text', 'resemblance', 'title'], true],
      [OLD, ['resemblance', 'title'], false],
    ],
  );
});

test('what a page says of its address is said beside what its text says', async () => {
  const { body } = await ask('/moved', { url: ESSAY });
  const [first, second] = body.candidates;
  assert.deepEqual([first.url, first.evidence], [MIRROR, ['canonical', 'resemblance', 'title']]);
  assert.deepEqual([second.url, second.evidence], [NEAR, ['resemblance']]);
});

test('a page is never a candidate of its own, and pages that are gone come last', async () => {
  for (const url of [ESSAY, MIRROR, NEW, STEADY, GONE, LINKED]) {
    const { body } = await ask('/moved', { url, limit: 100 });
    const states = body.candidates.map(({ current }: Candidate) => current);
    assert.ok(!body.candidates.some((candidate: Candidate) => candidate.url === url), url);
    assert.deepEqual(states, states.toSorted().toReversed(), url);
  }
  const { body } = await ask('/moved', { url: NEW });
  assert.deepEqual([body.gone, body.candidates[0].url, body.candidates[0].current], [false, OLD, false]);
  const { body: lost } = await ask('/moved', { url: GONE });
  assert.deepEqual([lost.state, lost.gone, lost.candidates], ['gone', true, []]);
  assert.equal((await ask('/moved', { url: LINKED })).body.state, 'never_read');
});

test('of a page that is gone no list says that it has too little text', async () => {
  for (const by of ['copy', 'topic']) {
    const { status, body } = await ask('/related', { url: GONE, by });
    if (status !== 400) assert.deepEqual([status, body.related, body.empty_reason], [200, [], 'gone'], by);
  }
});

test('a page is judged by the text that it has since, not by one that it had before', async () => {
  // What MIRROR says to this day is what ESSAY said in the first sweep, and not in the third.
  const { body } = await ask('/moved', { url: MIRROR });
  const essay = body.candidates.find(({ url }: Candidate) => url === ESSAY);
  assert.ok(essay.resemblance > 0.5 && essay.resemblance < 0.7);
  assert.deepEqual([essay.evidence, essay.holds_now], [['resemblance', 'title'], true]);
  const { body: first } = await ask('/moved', { url: MIRROR, capture: 'sweep-1' });
  const then = first.candidates.find(({ url }: Candidate) => url === ESSAY);
  assert.deepEqual(
    [then.resemblance, then.evidence],
    [essay.resemblance, ['same_text', 'resemblance', 'title']],
  );
});

test('of a URL in use again the text that was there before is sought, by default or by its sweep', async () => {
  const { body } = await ask('/moved', { url: SHOUTED });
  assert.deepEqual([body.state, body.lost.sweep], ['current', 'sweep-2']);
  const { body: now } = await ask('/moved', { url: SHOUTED, capture: 'sweep-3' });
  assert.equal(now.lost.sweep, 'sweep-3');
  const { body: steady } = await ask('/moved', { url: STEADY });
  assert.equal(steady.lost.sweep, 'sweep-3', 'a text that is still there is not lost');
  const { body: unread } = await ask('/moved', { url: LINKED });
  assert.equal(unread.lost, null);
  const { status, body: wrong } = await ask('/moved', { url: OLD, capture: 'sweep-2' });
  assert.deepEqual([status, wrong.errors[0].parameter], [400, 'capture']);
  // What is asked without one is kept.
  await ask('/moved', { url: OLD });
  assert.equal((await ask('/moved', { url: OLD, capture: 'undefined' })).status, 400);
  assert.match(wrong.errors[0].allowed, /sweep-1/);
});

test('candidates come page by page, and as few as asked for', async () => {
  const { body: all } = await ask('/moved', { url: MIRROR, min_containment: 0.05 });
  assert.deepEqual(
    all.candidates.map(({ url }: Candidate) => url),
    [NEAR, ESSAY, EXCERPT],
  );
  const { body: first } = await ask('/moved', { url: MIRROR, min_containment: 0.05, limit: 2 });
  const { body: rest } = await ask('/moved', {
    url: MIRROR,
    min_containment: 0.05,
    limit: 2,
    cursor: first.next,
  });
  assert.deepEqual([...first.candidates, ...rest.candidates], all.candidates);
  assert.equal(rest.next, null);
  const { body: strict } = await ask('/moved', { url: MIRROR, min_containment: 0.9 });
  assert.deepEqual(strict.candidates, []);
});

test('a URL of no sweep is not in the index', async () => {
  for (const path of ['/moved', '/history']) {
    const { status, body } = await ask(path, { url: 'https://garden.example/never' });
    assert.deepEqual([status, body.code], [404, 'page-not-indexed']);
  }
});

test('the history of a page says how it changed each time', async () => {
  const changes = async (url: string) =>
    (await ask('/history', { url })).body.captures.map(({ changed }: { changed: string }) => changed);
  assert.deepEqual(await changes(ESSAY), ['first', 'minor', 'major']);
  assert.deepEqual(await changes(SHOUTED), ['first', 'lexically_equal', 'rewritten']);
  assert.deepEqual(await changes(STEADY), ['first', 'identical', 'identical']);
  assert.deepEqual(await changes(LINKED), []);

  const { body } = await ask('/history', { url: ESSAY });
  const [first, second, third] = body.captures;
  assert.deepEqual([first.resemblance, first.containment, first.measure], [null, null, null]);
  assert.deepEqual([first.sweep, first.token_count], ['sweep-1', 600]);
  assert.ok(second.resemblance > 0.9 && second.resemblance < 1 && third.resemblance < 0.9);
  assert.ok(third.containment.before_in_this > third.resemblance);
  assert.deepEqual(
    [body.state, body.gone, body.last_seen.sweep, body.total],
    ['current', false, 'sweep-3', 3],
  );
  assert.notEqual(first.digest, second.digest);
  const { body: ofAlias } = await ask('/history', { url: ALIAS });
  assert.equal(ofAlias.url, NEW);
});

test('a capture of unknown date has none, in every answer', async () => {
  const { body: history } = await ask('/history', { url: UNDATED });
  const { body: page } = await ask('/page', { url: UNDATED });
  const { body: moved } = await ask('/moved', { url: UNDATED });
  const dates = [...history.captures, ...page.sweeps, history.last_seen, moved.last_seen].map(
    ({ fetched_at }: { fetched_at: string | null }) => fetched_at,
  );
  assert.deepEqual(dates, new Array(8).fill(null));
  const { body: dated } = await ask('/history', { url: STEADY });
  assert.match(dated.captures[0].fetched_at, /^2026-01-01T/);
});

test('the texts of two sweeps are compared, one of them with a text that is sent too', async () => {
  const compare = async (a: object, b: object) =>
    (await app.inject({ method: 'POST', url: '/compare?include_text=true', payload: { a, b } })).json();
  const [first, last] = ['sweep-1', 'sweep-3'].map((capture) => ({ url: ESSAY, capture }));
  const { a, b, containment, equality } = await compare(first!, last!);
  assert.equal(a.text, ESSAY_TEXT);
  assert.equal(b.text, edited(ESSAY_TEXT, 40));
  assert.equal(equality, 'different');
  assert.ok(containment.a_in_b.value > 0.5 && containment.a_in_b.value < 0.9);
  assert.equal((await compare(last!, { url: ESSAY })).equality, 'identical');
  assert.equal((await compare(first!, { text: ESSAY_TEXT })).equality, 'lexically_equal');
  const { status, errors } = await compare({ url: OLD, capture: 'sweep-2' }, first!);
  assert.deepEqual([status, errors[0].parameter, errors[0].allowed], [400, 'a.capture', 'one of: sweep-1']);
  const sent = await compare({ text: ESSAY_TEXT, capture: 'sweep-1' }, first!);
  assert.deepEqual([sent.status, sent.errors[0].parameter], [400, 'a.capture']);
});

test('captures come page by page, each against the one before', async () => {
  const { body: all } = await ask('/history', { url: ESSAY });
  const { body: first } = await ask('/history', { url: ESSAY, limit: 2 });
  const { body: rest } = await ask('/history', { url: ESSAY, limit: 2, cursor: first.next });
  assert.deepEqual([...first.captures, ...rest.captures], all.captures);
});

test('what pages over time are answered with is cached as all else', async () => {
  for (const path of ['/moved', '/history']) {
    const { headers } = await ask(path, { url: ESSAY });
    const again = await app.inject({
      url: `${path}?url=${encodeURIComponent(ESSAY)}`,
      headers: { 'if-none-match': String(headers['etag']) },
    });
    assert.deepEqual([again.statusCode, again.body], [304, '']);
    const other = await ask(path, { url: ESSAY, limit: 1 });
    assert.notEqual(other.headers['etag'], headers['etag']);
  }
});

async function changesOf(query: Query = {}): Promise<Body[]> {
  const { statusCode, body } = await app.inject(pathOf('/export/changes', query));
  assert.equal(statusCode, 200, body);
  return body
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

test('the changes of all pages add up', async () => {
  const rows = await changesOf();
  const count = (test: (row: Body) => boolean) => rows.filter(test).length;
  // Two comparisons each of ESSAY, MIRROR, SHOUTED and STEADY, one of NEW.
  const compared = rows.filter(({ resemblance }) => resemblance !== null);
  assert.deepEqual(
    Object.fromEntries(
      Array.from(
        Map.groupBy(compared, ({ changed }) => changed),
        ([name, of]) => [name, of.length],
      ),
    ),
    { identical: 5, lexically_equal: 1, minor: 1, major: 1, rewritten: 1 },
  );
  const bins = compared.map(({ resemblance }) => Math.floor(resemblance * 10)).sort((x, y) => x - y);
  assert.deepEqual(bins, [0, 5, 9, ...Array(6).fill(10)]);
  assert.equal(
    count(({ changed }) => changed === 'first'),
    9,
    '8 pages, and one that is gone',
  );
  assert.deepEqual([count(({ news }) => news === 'new'), count(({ news }) => news === 'lost')], [3, 2]);
});

test('changes by sweep are those of GET /changes', async () => {
  const ofSweeps: Body[] = [];
  for (const sweep of ['sweep-1', 'sweep-2', 'sweep-3']) {
    const { body } = await ask('/changes', { sweep });
    const plain = ({ url, title, news, fetched_at, resemblance }: Body) => {
      return { url, title, news, fetched_at, resemblance };
    };
    const rows = (await changesOf({ sweep })).filter(({ news }) => news !== null);
    assert.deepEqual(rows.map(plain), body.pages, sweep);
    ofSweeps.push(...(await changesOf({ sweep })));
  }
  const [joined, repeated] = [{ news: 'new,lost' }, { news: ['new', 'lost'] }];
  const { body: two } = await ask('/changes', { sweep: 'sweep-2', ...joined });
  assert.deepEqual(two, (await ask('/changes', { sweep: 'sweep-2', ...repeated })).body);
  assert.ok(two.pages.length > 1);
  const inOrder = (rows: Body[]) => rows.map((row) => JSON.stringify(row)).sort();
  assert.deepEqual(inOrder(ofSweeps), inOrder(await changesOf()));
  const lost = await changesOf({ news: ['lost'] });
  assert.deepEqual(
    lost.map(({ url, sweep }) => [url, sweep]),
    [
      [GONE, 'sweep-2'],
      [OLD, 'sweep-2'],
    ],
  );
  const { statusCode } = await app.inject('/export/changes?sweep=none');
  assert.equal(statusCode, 400);
  // Nothing waits.
  const { body: waiting } = await ask('/changes', { sweep: 'live' });
  assert.deepEqual([waiting.sweep, waiting.pages, waiting.next], ['live', [], null]);
  assert.deepEqual(await changesOf({ sweep: 'live' }), []);
});
