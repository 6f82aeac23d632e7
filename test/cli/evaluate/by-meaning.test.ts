import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { GARDEN_PAGES, topicOf } from '../garden.ts';
import { akin } from '../terminal.ts';
import { evaluate, folder, index, labels, SMALL } from './evaluated-garden.ts';

test('lists by vectors are judged by name, and say nothing of bags and clusters', async () => {
  const [target, source] = [join(folder, 'vectors.akin'), join(folder, 'vectors.jsonl')];
  // By one name pages of a class are near, by the other the first three and the last three in turn.
  const leaning = (degrees: number) => ['cos', 'sin'].map((name) => Math[name as 'cos'](degrees / 57.3));
  const classes = [...new Set(GARDEN_PAGES.map(({ url }) => topicOf(url)))];
  const lines = GARDEN_PAGES.map((page, i) => {
    const right = leaning(20 * classes.indexOf(topicOf(page.url)) + (i % 2));
    const vectors = { right, wrong: leaning(15 * i) };
    return `${JSON.stringify({ ...page, vectors })}\n`;
  });
  writeFileSync(source, lines.join(''));
  const blend = ['--meaning-share', '.3', '--meaning-vectors', 'right'];
  const built = await akin(['index', source, '--to', target, ...SMALL, ...blend]);
  assert.equal(built.code, 0, built.stderr);
  // Lists of words and vectors hold others than the most similar pages, and are to.
  assert.equal((await evaluate(target, '--labels', labels)).recall, null);
  const by = async (vector: string) => {
    const all = await evaluate(target, '--labels', labels, '--by', 'meaning', '--vector', vector);
    assert.deepEqual(
      [all.index.relation.profile, all.recall, all.gamma, all.clusters],
      [vector, null, null, []],
    );
    return all.neighbors.find(({ k }) => k === 1)!.precision;
  };
  // Of six pages four have another one of their class.
  assert.equal(await by('right'), 4 / 6);
  assert.ok((await by('wrong')) < 4 / 6);
  for (const [argv, message] of [
    [['--by', 'meaning'], /has no vectors of one name\nhint: name one of these with --vector: right, wrong/],
    [['--by', 'meaning', '--vector', 'left'], /has no vectors of the name left/],
    [['--vector', 'right'], /--vector has no effect on lists by words/],
  ] as const) {
    const { code, stderr } = await akin(['evaluate', target, '--labels', labels, ...argv]);
    assert.equal(code, 2);
    assert.match(stderr, message);
  }
  // The curve is that of signatures of bags.
  const both = join(folder, 'printed-vectors.akin');
  const printing = await akin(['index', source, '--to', both, '--profile', 'haveliwala2000', ...SMALL]);
  assert.equal(printing.code, 0, printing.stderr);
  assert.notEqual((await evaluate(both, '--labels', labels)).sCurve, null);
  const bent = await evaluate(both, '--labels', labels, '--by', 'meaning', '--vector', 'right');
  assert.equal(bent.sCurve, null);
  assert.doesNotMatch(bent.notes.join(' '), /V-measure/);
  const none = await akin(['evaluate', index, '--labels', labels, '--by', 'meaning']);
  assert.match(none.stderr, /has no vectors of one name\nhint: give pages vectors, and build it again/);
});
