import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chart, escapeXml, roundAxis } from '../../../src/cli/evaluate/report/chart.ts';

test('an axis has round ticks and ends at the first that reaches the greatest value', () => {
  const ends = (max: number) => {
    const { ticks, max: end } = roundAxis('', max, String);
    assert.ok(end >= max && ticks.length >= 2 && ticks.length <= 7, String(max));
    assert.equal(ticks.at(-1)!.at, end);
    return end;
  };
  assert.deepEqual([1, 0.29, 7, 10, 1329].map(ends), [1, 0.3, 8, 10, 1500]);
  for (let max = 0.001; max < 1e6; max *= 1.37) ends(max);
});

test('marks stand where their values are, from the origin at the bottom left', () => {
  const chart = new Chart('plot', roundAxis('x', 1, String), roundAxis('y', 1, String));
  chart.line(
    [
      { x: 0, y: 0 },
      { x: 0.5, y: 1 },
      { x: 1, y: 0.5 },
    ],
    's1',
    'a < b',
  );
  const [, path] = /class="line s1" d="M([^"]+)"/.exec(chart.svg())!;
  const [[left, bottom], [middle, top], [right, half]] = path!
    .split('L')
    .map((point) => point.split(' ').map(Number)) as [number[], number[], number[]];
  assert.ok(Math.abs(middle! - (left! + right!) / 2) < 0.02);
  assert.ok(Math.abs(half! - (top! + bottom!) / 2) < 0.02);
  assert.ok(left! < right! && top! < bottom!);
  assert.match(chart.svg(), /<title>a &#60; b<\/title>/);
});

test('text of a user cannot become markup', () => {
  assert.equal(escapeXml(`<a href="'&">`), '&#60;a href=&#34;&#39;&#38;&#34;&#62;');
});
