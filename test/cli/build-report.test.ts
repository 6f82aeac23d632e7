/** What a build says of its pages beside how many there are. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newFolder } from '../new-folder.ts';
import { akin } from './terminal.ts';

const folder = newFolder('build-report');
after(() => rmSync(folder, { recursive: true }));

test('where no page has a related one, the build says why', async () => {
  const few = join(folder, 'few.jsonl');
  const page = (name: string) => ({ url: `https://few.example/${name}`, text: `roses and soil ${name}` });
  writeFileSync(few, ['a', 'b', 'c'].map((name) => JSON.stringify(page(name))).join('\n'));
  const { code, stderr } = await akin(['index', few, '--to', join(folder, 'few.akin')]);
  assert.equal(code, 0);
  assert.match(
    stderr,
    /no page has a related one: words on more than 50 % of the pages do not count \(--max-df\)/,
  );
});

test('pages of equal text are counted as copies, beside pairs of different texts', async () => {
  const pages = join(folder, 'copies.jsonl');
  const text = Array.from({ length: 60 }, (_, i) => `word${i}`).join(' ');
  const headOf = async (texts: readonly string[]) => {
    const lines = texts.map((one, i) => JSON.stringify({ url: `https://copies.example/${i}`, text: one }));
    writeFileSync(pages, lines.join('\n'));
    const { stdout } = await akin(['index', pages, '--to', join(folder, 'copies.akin')]);
    return stdout.slice(stdout.indexOf(': ') + 2, stdout.lastIndexOf(', ', stdout.indexOf('\n')));
  };
  assert.equal(await headOf([text, text, text, 'another one']), '4 pages, 2 pages with the text of another');
  assert.equal(await headOf([text, `${text} more`, 'another one']), '3 pages, 1 pair of copies');
  const both = [text, text, `${text} more`];
  assert.equal(await headOf(both), '3 pages, 1 page with the text of another, 1 pair of other copies');
});

test('a declared field that no page has is named, and an index shows its fields', async () => {
  const pages = join(folder, 'fields.jsonl');
  const lines = [{ color: 'red', price: 3 }, { color: 'blue' }].map((fields, i) =>
    JSON.stringify({ url: `https://fields.example/${i}`, text: `page ${i}`, fields }),
  );
  writeFileSync(pages, lines.join('\n'));
  const target = join(folder, 'fields.akin');
  const built = await akin(['index', pages, '--to', target, '--fields', 'price:number,colour']);
  assert.match(built.stdout, /^fields of --fields that no page has: colour$/m);
  assert.match(
    (await akin(['show', target])).stdout,
    /^fields +color \(2 pages\), colour \(0 pages, declared\), price \(1 page, declared as number\)$/m,
  );
});

test('where many pages have no text a build says so', async () => {
  const shell = (i: number) => ({
    html: `<title>Item ${i}</title><div id=app></div><script>app(${i})</script>`,
  });
  const builtOf = async (textCount: number) => {
    const lines = Array.from({ length: 10 }, (_, i) => {
      const page = i < textCount ? { text: `kettle, cup and pot ${i}` } : shell(i);
      return JSON.stringify({ url: `https://shell.example/${i}`, ...page });
    });
    writeFileSync(join(folder, 'shell.jsonl'), lines.join('\n'));
    const target = join(folder, 'shell.akin');
    return (await akin(['index', join(folder, 'shell.jsonl'), '--to', target])).stdout;
  };
  const line =
    /^no words on 2 of 10 pages: digits are none, and text that a script makes in the browser is not read$/m;
  assert.match(await builtOf(8), line);
  assert.doesNotMatch(await builtOf(9), /no words on/);
});

test('pages that all ask not to be indexed are named as the reason', async () => {
  const html = '<meta name=robots content=noindex><p>words';
  const input = join(folder, 'noindex.jsonl');
  writeFileSync(input, JSON.stringify({ url: 'https://a.example/', html }));
  const { code, stderr } = await akin(['index', input, '--to', join(folder, 'noindex.akin')]);
  assert.equal(code, 3);
  assert.match(stderr, /the input holds no page: .*noindex 1.*\nhint: these pages ask not to be indexed/);
});

test('marks, and what is left out, are counted by the records that were read, of which a page may have several', async () => {
  const html = '<main data-akin-body>A text of words that count <b data-akin-weight=2>twice</b>.</main>';
  const sweeps = ['a', 'b'].map((sweep) => {
    const path = join(folder, `${sweep}.jsonl`);
    const record = { url: 'https://twice.example/', html: `${html}${sweep}`, fields: { 'no name': 1 } };
    writeFileSync(path, JSON.stringify(record));
    return path;
  });
  const to = ['--to', join(folder, 'twice.akin')];
  const { stdout, stderr } = await akin(['index', ...sweeps, '--sweep-per-input', ...to]);
  assert.match(stdout, /: 1 page, .*\nread 2 records, /, stderr);
  assert.match(stdout, /^body mark on 2 of 2 records, weights on 2$/m);
  assert.match(stdout, /^left out the fields of 2 records, first https:\/\/twice\.example\/: /m);
});

test('visits of a URL that no sweep makes are named with the option that keeps them apart', async () => {
  const inputs = ['2019', '2020'].map((year) => join(folder, `${year}.jsonl`));
  const write = (input: string, ...pages: readonly object[]) =>
    writeFileSync(input, pages.map((page) => JSON.stringify(page)).join('\n'));
  const url = (name: string) => `https://years.example/${name}`;
  const words = { text: 'roses, soil and rain' };
  const moved = { url: url('moved'), status: 301, location: url('stays') };
  const january = '2019-01-01T00:00:00Z';
  write(
    inputs[0]!,
    { url: url('stays'), ...words, fetched_at: january },
    { url: url('moved'), ...words, fetched_at: january },
    { url: url('back'), status: 301, location: url('stays'), fetched_at: january },
    { url: url('once'), ...words, fetched_at: january },
    { url: url('undated'), ...words, fetched_at: january },
  );
  const later = { fetched_at: '2019-02-02T00:00:00Z' };
  const second = [
    { url: url('stays'), ...words, ...later },
    { ...moved, ...later },
    { url: url('back'), ...words, ...later },
    { url: url('once'), status: 304, ...later },
    { url: url('undated'), ...words },
  ];
  write(inputs[1]!, ...second);
  const said = async (...options: readonly string[]) =>
    (await akin(['index', ...inputs, '--to', join(folder, 'years.akin'), ...options])).stderr;
  const line =
    'akin: 4 answers are more than 31 days from another one of their URL in the same sweep, which keeps one: ' +
    '1 page holds over a later redirect; give what each crawl brought as an input of its own, with --sweep-per-input\n';
  assert.ok((await said()).includes(line), await said());
  assert.doesNotMatch(await said('--sweep-per-input'), /31 days/);
  write(inputs[1]!, ...second.map((one) => ({ ...one, fetched_at: '2019-02-01T00:00:00Z' })));
  assert.doesNotMatch(await said(), /31 days/);
});
