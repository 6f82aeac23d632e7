import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Frontier, PRIORITIES } from '../../../src/crawl/frontier/frontier.ts';
import { TimeHeap } from '../../../src/crawl/frontier/time-heap.ts';
import { Random } from '../../../src/lib/random.ts';
import { FrontierStore } from '../../../src/store/frontier/frontier-store.ts';
import type { NewUrl } from '../../../src/store/frontier/records.ts';
import { processorMs } from '../../processor-time.ts';
import { temporaryFolder } from '../loopback.ts';

function openStore(t: TestContext): FrontierStore {
  const store = FrontierStore.open(join(temporaryFolder(t), 'frontier.db'));
  t.after(() => store.close());
  return store;
}

const seeded = (seed: number) => {
  const random = new Random(seed);
  return () => random.nextUint32() / 2 ** 32;
};

const urlOf = (host: string, path: string | number, priority = 1): NewUrl => ({
  url: `http://${host}/${path}`,
  kind: 'page',
  priority,
  depth: 1,
  redirects: 0,
});

function addTo(frontier: Frontier, entry: NewUrl): boolean {
  const hostId = frontier.meet(entry.url);
  if (hostId !== null) frontier.add(hostId, entry);
  return hostId !== null;
}

test('a heap gives times back in order', () => {
  const random = seeded(7);
  const heap = new TimeHeap<number>();
  const times = Array.from({ length: 500 }, () => Math.floor(random() * 100));
  const given: number[] = [];
  for (const [i, time] of times.entries()) {
    heap.push(time, time);
    if (i % 3 === 0) given.push(heap.pop()!);
  }
  const rest: number[] = [];
  while (heap.size > 0) rest.push(heap.pop()!);
  assert.deepEqual(
    rest,
    rest.toSorted((a, b) => a - b),
  );
  assert.deepEqual([...given, ...rest].toSorted(), times.toSorted());
  assert.equal(heap.pop(), undefined);
});

test('of each host at most one URL is out, every URL comes once, and a URL that was met is not taken again', (t) => {
  const store = openStore(t);
  const frontier = new Frontier(store, 4, seeded(1), 0);
  const all = new Set<string>();
  for (let i = 0; i < 2000; i++) {
    const entry = urlOf(`h${(i * i) % 41}.example`, i, i % PRIORITIES);
    all.add(entry.url);
    assert.ok(addTo(frontier, entry));
    assert.ok(!addTo(frontier, entry));
  }
  const out = new Map<string, ReturnType<Frontier['next']>>();
  const came = new Set<string>();
  let now = 0;
  while (came.size < all.size) {
    const queue = frontier.next(now++);
    if (queue !== null) {
      assert.ok(!out.has(queue.host), `${queue.host} is out twice`);
      out.set(queue.host, queue);
    }
    // The one that is out longest comes back, with the time of its next turn.
    if (out.size === 4 || (queue === null && out.size > 0)) {
      const [host, first] = out.entries().next().value!;
      out.delete(host);
      const item = first!.urls.shift()!;
      assert.ok(!came.has(item.url), item.url);
      came.add(item.url);
      store.remove(first!.hostId, item);
      first!.nextAtMs = now + 3;
      frontier.handBack(first!);
    }
  }
  assert.deepEqual(came, all);
});

test('no back queue is empty while hosts wait, and there are three a slot', (t) => {
  const store = openStore(t);
  const frontier = new Frontier(store, 5, seeded(2), 0);
  for (let i = 0; i < 400; i++) addTo(frontier, urlOf(`h${i % 40}.example`, i));
  const queues = [];
  for (let queue = frontier.next(0); queue !== null; queue = frontier.next(0)) queues.push(queue);
  assert.equal(queues.length, 15);
  assert.equal(new Set(queues.map(({ host }) => host)).size, 15);
  assert.ok(queues.every(({ urls }) => urls.length === 10));
  // One that is used up makes room for a host that waits.
  const used = queues[0]!;
  for (const item of used.urls.splice(0)) store.remove(used.hostId, item);
  frontier.handBack(used);
  const next = frontier.next(0);
  assert.ok(next !== null && queues.every(({ host }) => host !== next.host));
});

test('better priorities come earlier, but none starves', (t) => {
  const store = openStore(t);
  const frontier = new Frontier(store, 1, seeded(3), 0);
  for (let i = 0; i < 400; i++) addTo(frontier, urlOf('a.example', i, i % PRIORITIES));
  const order: number[] = [];
  while (order.length < 400) {
    const queue = frontier.next(Infinity)!;
    const item = queue.urls.shift()!;
    order.push(item.priority);
    store.remove(queue.hostId, item);
    frontier.handBack(queue);
  }
  const early = order.slice(0, 100);
  const shares = [0, 1, 2, 3].map((priority) => early.filter((one) => one === priority).length);
  assert.ok(shares[0]! > shares[1]! && shares[1]! > shares[2]!, String(shares));
  assert.ok(shares[3]! > 0, 'the last class is not starved');
});

test('the time of a host is kept while another one has its back queue', (t) => {
  const store = openStore(t);
  const frontier = new Frontier(store, 1, seeded(4), 0);
  for (const host of ['a', 'b', 'c', 'd'])
    for (let i = 0; i < 2; i++) addTo(frontier, urlOf(`${host}.example`, i));
  const first = frontier.next(0)!;
  for (const item of first.urls.splice(0)) store.remove(first.hostId, item);
  addTo(frontier, urlOf(first.host, 'later'));
  first.nextAtMs = 5000;
  frontier.handBack(first);
  for (let queue = frontier.next(4999); queue !== null; queue = frontier.next(4999)) {
    assert.notEqual(queue.host, first.host);
    for (const item of queue.urls.splice(0)) store.remove(queue.hostId, item);
    frontier.handBack(queue);
  }
  assert.equal(frontier.nextDueMs, 5000);
  assert.equal(frontier.next(5000)?.host, first.host);
});

test('what was not committed is as if it had never been, and what was is there again', (t) => {
  const path = join(temporaryFolder(t), 'frontier.db');
  const store = FrontierStore.open(path);
  const hostId = store.hostId('a.example');
  assert.ok(store.see(hostId, 'http://a.example/1'));
  store.enqueue(hostId, [urlOf('a.example', 1)]);
  store.commit({ count: 1 });
  assert.ok(store.activate(1));
  assert.ok(store.see(hostId, 'http://a.example/2'));
  store.remove(hostId, store.first(hostId, 1, 1)[0]!);
  store.close();

  const again = FrontierStore.open(path);
  assert.deepEqual(again.state(), { count: 1 });
  assert.ok(!again.see(hostId, 'http://a.example/1'));
  assert.ok(again.see(hostId, 'http://a.example/2'));
  assert.deepEqual(
    again.first(hostId, 1, 10).map(({ url }) => url),
    ['http://a.example/1'],
  );
  assert.equal(again.activate(1)?.name, 'a.example');
  again.close();
});

test('content is found by its digest at the same cost in a host of many pages', (t) => {
  const store = openStore(t);
  const hostId = store.hostId('a.example');
  const digestOf = (i: number) => Buffer.from(String(i).padStart(20, '0'));
  const page = {
    fetchedAtMs: 1,
    etag: null,
    lastModified: null,
    depth: 1,
    visits: 1,
    changes: 0,
    firstAtMs: 1,
  };
  const lookUpMs = (count: number) =>
    processorMs(() => {
      for (let i = 0; i < 300; i++) {
        const found = store.pageWithDigest(hostId, digestOf((i * 37) % count));
        assert.equal(found?.url, `http://a.example/${(i * 37) % count}`);
      }
    });
  let saved = 0;
  const saveUpTo = (count: number) => {
    for (; saved < count; saved++) {
      store.savePage(hostId, { ...page, url: `http://a.example/${saved}`, digest: digestOf(saved) });
    }
  };
  saveUpTo(100);
  // The best of several: whatever else the machine does only adds to it.
  const leastMs = (count: number) => Math.min(...Array.from({ length: 8 }, () => lookUpMs(count)));
  const fewMs = leastMs(100);
  saveUpTo(10_000);
  const manyMs = leastMs(10_000);
  assert.ok(manyMs < 20 * Math.max(fewMs, 1), `${fewMs} ms among 100 pages, ${manyMs} ms among 10,000`);
});

test('an origin that is held keeps its URLs and its order, and no other origin of the host waits for it', (t) => {
  const path = join(temporaryFolder(t), 'frontier.db');
  let store = FrontierStore.open(path);
  let frontier = new Frontier(store, 1, seeded(5), 0);
  const dead = Array.from({ length: 100 }, (_, i) => urlOf('a.example:81', i));
  for (const entry of dead) addTo(frontier, entry);
  addTo(frontier, urlOf('a.example', 0));
  const taken = (nowMs: number): string[] => {
    const urls: string[] = [];
    for (let queue = frontier.next(nowMs); queue !== null; queue = frontier.next(nowMs)) {
      for (const item of queue.urls.splice(0)) {
        store.remove(queue.hostId, item);
        urls.push(item.url);
      }
      frontier.handBack(queue);
    }
    return urls;
  };
  const queue = frontier.next(0)!;
  frontier.hold(queue, 'http://a.example:81', 5000);
  frontier.handBack(queue);
  assert.deepEqual(taken(0), ['http://a.example/0'], 'behind a hundred that are held');
  addTo(frontier, urlOf('a.example', 1));
  assert.deepEqual(taken(0), ['http://a.example/1'], 'what comes while only held URLs are left');
  assert.equal(frontier.nextDueMs, 5000);
  store.commit({});
  assert.deepEqual(
    taken(5000),
    dead.map(({ url }) => url),
  );
  assert.equal(frontier.nextDueMs, Infinity);
  store.close();

  store = FrontierStore.open(path);
  t.after(() => store.close());
  frontier = new Frontier(store, 1, seeded(6), 0);
  assert.deepEqual(
    taken(0),
    dead.map(({ url }) => url),
    'a process that died while they were held loses none',
  );
});

test('no host waits for a time that a clock ahead of this one has set', (t) => {
  const store = FrontierStore.open(join(temporaryFolder(t), 'frontier.db'));
  t.after(() => store.close());
  const frontier = new Frontier(store, 1, seeded(7), 0);
  addTo(frontier, urlOf('a.example', 0));
  const queue = frontier.next(0)!;
  store.remove(queue.hostId, queue.urls.pop()!);
  queue.nextAtMs = 10 ** 9;
  frontier.handBack(queue);
  addTo(frontier, urlOf('a.example', 1));
  store.boundWaits(5000);
  const next = new Frontier(store, 1, seeded(8), 0);
  assert.equal(next.next(4999), null);
  assert.equal(next.next(5000)?.host, 'a.example');
});
