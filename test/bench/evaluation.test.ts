import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../bench/environment.ts';
import { benchName, benchPaths } from '../../bench/run.ts';
import { EVALUATION_FILE, evaluationText, headOf } from '../../bench/write-evaluation.ts';

test('docs/evaluation.md says what bench/results say', () => {
  const hint = 'run: node bench/write-evaluation.ts';
  assert.equal(readFileSync(EVALUATION_FILE, 'utf8'), evaluationText(), hint);
});

test('every bench says what it measures, on which corpus, and what to know', () => {
  assert.ok(benchPaths().length >= 7);
  for (const path of benchPaths()) {
    const said = headOf(path).map((line) => /^\*\*(\w+)\*\*/.exec(line)?.[1]);
    assert.deepEqual(said, ['Measured', 'Corpus', 'Notes'], path);
  }
});

test('names of benches are unique, and every result belongs to one', () => {
  const names = benchPaths().map(benchName);
  assert.equal(new Set(names).size, names.length);
  const results = globSync('*.json', { cwd: join(ROOT, 'bench', 'results') });
  assert.ok(results.length > 0);
  for (const file of results) assert.ok(names.includes(basename(file, '.json')), file);
});

test('a result says where and when it was measured', () => {
  for (const file of globSync(join(ROOT, 'bench', 'results', '*.json'))) {
    const { environment } = JSON.parse(readFileSync(file, 'utf8'));
    assert.match(environment.node, /^v\d+\./, file);
    assert.match(environment.date, /^\d{4}-\d\d-\d\d$/, file);
    assert.ok(environment.cpu.length > 0 && environment.commit.length > 0, file);
  }
});
