/**
 * Schemathesis, a tool of others, makes thousands of requests from openapi.yaml, good and bad, and holds every answer
 * against it: none is a fault of the server, each has a status, type, headers and body that the contract names, bad
 * input is refused and good input taken.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MEANING } from '../../src/relations/meaning.ts';
import { OWN_FEATURES } from '../../src/relations/own-features.ts';
import { LINK_RELATION_NAMES, type RelationName } from '../../src/relations/relations.ts';
import { temporaryFolder } from '../indexer/build.ts';
import { document, prose, type TestPage } from '../indexer/pages.ts';
import { buildSweeps, firstSweep, secondSweep, thirdSweep } from '../indexer/sweeps.ts';
import { startServer } from './child-server.ts';
import { type Contract, withQueryMethod } from './query-contract.ts';

const VERSION = '4.32.5';
const LEAST_REQUESTS = 5000;
const EXAMPLES_AN_OPERATION = 250;
const MOST_MS = 20 * 60_000;

/** Pages of which one sweep after the other edits a few words, and near copies of them. */
function copies(sweep: number): TestPage[] {
  return [0, 1, 2, 3].map((i) => ({
    url: `https://copies.example/${i}`,
    html: document(`copy ${i}`, `<p>${prose(90 + (i % 2), 600, 90)} ${prose(i, 10 + sweep, i)}</p>`),
    day: 30 * sweep,
  }));
}

/** Refusals of input that breaks the contract, as akin words them. */
const CONFIGURATION = `
[checks]
negative_data_rejection.expected-statuses = [400, 404, 405, 410, 413, 415, 417, 431]
`;

/** What the index of the test does not hold. */
const NOT_HELD: readonly unknown[] = [OWN_FEATURES.name, MEANING.name];

/** What input a run makes: `good` breaks no rule, `links` is good too, and asks for relations by links. */
type Mode = 'all' | 'good' | 'links';

interface Edit {
  readonly urls: readonly string[];
  readonly mode: Mode;
}

/**
 * Of these the contract says in words alone what is good: `cursor`, which only the server makes, the captures of one
 * page, names of sweeps and fields of the index, and what goes with some relations only. A server that is behind `min_sequence` answers 503, as it should.
 */
const LEFT_OUT: Readonly<Record<Mode, RegExp>> = {
  all: /^min_sequence$/,
  good: /^(min_sequence|cursor|capture|clustering|sweep|near|near_lang|fields?|facets|within|boost|diversity|fallback|vectors?)$/,
  links:
    /^(min_sequence|cursor|capture|clustering|sweep|near|near_lang|fields?|facets|within|boost|diversity|min_similarity|exact|vectors?)$/,
};
/** The same, with what stands in for it. */
const STAND_INS: Readonly<Record<string, object>> = {
  exclude: {
    type: 'array',
    maxItems: 3,
    items: { type: 'string', enum: ['https://copies.example/0', 'https://copies.example/*', 'far.example'] },
  },
  published_after: {
    type: 'string',
    enum: ['2026-01-02', '2026-01-02T10:00:00Z', '1999-12-31T23:59:59+01:00'],
  },
  published_before: { type: 'string', enum: ['2026-01-02', '2031-01-02T10:00:00Z'] },
  q: { type: 'string', pattern: '^[a-z]{1,12}( -?[a-z]{1,12}){0,3}$' },
  site: { type: 'string', enum: ['copies.example', 'far.example', 'nowhere.example'] },
};
/** Where the contract says what is answered: the bodies of requests stand in place. */
const isOfAnswers = (name: string) => name === 'responses' || name === 'components';
/** A posted document: what is full of control characters is no text. */
const PLAIN_TEXT = { type: 'string', pattern: '^[ -~]{0,400}$' };

/**
 * The contract with pages of the index as URLs, which hardly any made at random is: beside others, or where all input
 * is to be good, as the only ones. Bodies that are no JSON are left out where input is to be bad: any text is good.
 */
function edited(node: unknown, edit: Edit): unknown {
  const { urls, mode } = edit;
  const isLeftOut = (name: unknown) => LEFT_OUT[mode].test(String(name));
  if (Array.isArray(node)) {
    return node
      .filter((item: { name?: unknown } | null) => !isLeftOut(item?.name))
      .map((item) => edited(item, edit));
  }
  if (typeof node !== 'object' || node === null) return node;
  const { content, ...body } = node as { content?: Record<string, unknown> };
  if (mode === 'all' && content?.['application/json'] !== undefined && content['text/html'] !== undefined) {
    return edited({ ...body, content: { 'application/json': content['application/json'] } }, edit);
  }
  if ((node as { format?: unknown }).format === 'uri') {
    const page = { type: 'string', enum: urls };
    return mode === 'all' ? { anyOf: [page, node] } : page;
  }
  const members = Object.entries(node).filter(([name]) => !isLeftOut(name));
  const made = Object.fromEntries(
    members.map(([name, value]) => [name, isOfAnswers(name) ? value : edited(value, edit)]),
  );
  return mode === 'all' ? made : goodOf(made, mode);
}

function goodOf(node: Record<string, unknown>, mode: Mode): Record<string, unknown> {
  const {
    name,
    schema,
    properties,
    enum: values,
  } = node as {
    name?: string;
    schema?: object;
    properties?: Record<string, unknown>;
    enum?: unknown[];
  };
  if (name !== undefined && schema !== undefined && STAND_INS[name] !== undefined) {
    return { ...node, schema: STAND_INS[name] };
  }
  if (node['text/html'] !== undefined && node['application/json'] !== undefined) {
    return { ...node, 'text/html': { schema: PLAIN_TEXT }, 'text/plain': { schema: PLAIN_TEXT } };
  }
  // Parameters in a body.
  const standIns = Object.keys(properties ?? {}).filter((parameter) => STAND_INS[parameter] !== undefined);
  if (standIns.length > 0) {
    const stood = standIns.map((parameter) => [parameter, STAND_INS[parameter]]);
    return { ...node, properties: { ...properties, ...Object.fromEntries(stood) } };
  }
  // A document, or a page in its place.
  if (properties?.['html'] !== undefined && properties['text'] !== undefined) {
    return { ...node, anyOf: ['html', 'text', 'url'].map((required) => ({ required: [required] })) };
  }
  // Names of relations; the pages have no features and no vectors of their own.
  if (values?.includes(OWN_FEATURES.name) !== true) return node;
  const byLinks = values.filter((value) => LINK_RELATION_NAMES.includes(value as RelationName));
  if (mode === 'links' && byLinks.length > 0) return { ...node, enum: byLinks, default: byLinks[0] };
  return {
    ...node,
    enum: values.filter((value) => !byLinks.includes(value) && !NOT_HELD.includes(value)),
  };
}

/** Installs Schemathesis into a folder; null where there is nowhere to get it from. */
function install(folder: string): string | null {
  const bin = join(folder, 'venv', 'bin');
  const made = spawnSync('python3', ['-m', 'venv', join(folder, 'venv')], { encoding: 'utf8' });
  assert.equal(made.status, 0, made.stderr);
  const wanted = ['-m', 'pip', 'install', '--quiet', `schemathesis==${VERSION}`];
  const { status, stderr } = spawnSync(join(bin, 'python'), wanted, { encoding: 'utf8' });
  if (status !== 0 && /Connection|resolve|timed out|unreachable/i.test(stderr)) return null;
  assert.equal(status, 0, stderr);
  return join(bin, 'schemathesis');
}

async function runTool(tool: string, folder: string, args: readonly string[]) {
  const report = join(folder, 'events.ndjson');
  const all = ['run', ...args, '--report-ndjson-path', report, '--generation-database', 'none'];
  all.push(
    '--seed',
    '1',
    '--no-color',
    '--request-timeout',
    '120',
    '--continue-on-failure',
    // Lines of JSON, which the tool cannot write: the tests of live pages send them.
    '--exclude-operation-id',
    'putPages',
    '--max-examples',
    String(EXAMPLES_AN_OPERATION),
  );
  const run = spawn(tool, all, { cwd: folder, timeout: MOST_MS });
  let output = '';
  for (const stream of [run.stdout, run.stderr]) {
    stream.on('data', (bytes) => {
      output += bytes;
    });
  }
  const [code] = await once(run, 'close');
  const requestCount = readFileSync(report, 'utf8').split('"status_code"').length - 1;
  return { code: code as number | null, requestCount, output };
}

test('no request that Schemathesis makes from openapi.yaml meets a fault or a broken promise', async (t) => {
  const folder = temporaryFolder(t);
  const tool = install(folder);
  if (tool === null) return t.skip('PyPI cannot be reached, and Schemathesis comes from there');
  writeFileSync(join(folder, 'schemathesis.toml'), CONFIGURATION);
  const sweeps = [firstSweep(), secondSweep(), thirdSweep()].map((pages, i) => [...pages, ...copies(i)]);
  const { target, reader } = await buildSweeps(t, sweeps, { copyClusterings: ['0.9', '0.8c'] });
  assert.ok([...reader.allNeighbors(2)].length > 0, 'there are copies');
  const urls = Array.from(reader.pages(), ({ url }) => url);
  // A busy machine would have any request refused; refusing has a test of its own.
  const server = await startServer(t, target, { maxEventLoopDelayMs: 0 });
  const base = `http://127.0.0.1:${server.port}`;
  const contract = withQueryMethod((await (await fetch(`${base}/openapi.json`)).json()) as Contract);
  const runs: Record<Mode, string[]> = {
    all: ['--checks', 'all', '--exclude-checks', 'positive_data_acceptance'],
    good: ['--checks', 'all', '--mode', 'positive'],
    // A document has links of its own and none that lead to it.
    links: ['--checks', 'all', '--mode', 'positive', '--include-path-regex', '^/related'],
  };
  let sum = 0;
  for (const [mode, checks] of Object.entries(runs) as [Mode, string[]][]) {
    const schema = join(folder, `${mode}.json`);
    writeFileSync(schema, JSON.stringify(edited(contract, { urls, mode })));
    const { code, requestCount, output } = await runTool(tool, folder, [schema, '--url', base, ...checks]);
    t.diagnostic(`${mode}: ${requestCount} requests`);
    assert.equal(code, 0, output.slice(-20_000));
    sum += requestCount;
  }
  assert.ok(sum >= LEAST_REQUESTS, `${sum} requests`);
  server.process.kill('SIGTERM');
  const { code, errors } = await server.ended;
  assert.equal(code, 0);
  assert.doesNotMatch(errors, /"level":50/, 'no fault of the service');
});
