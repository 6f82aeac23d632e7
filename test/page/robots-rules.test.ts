/** Rules for robots as Google's documentation of X-Robots-Tag and of the robots meta tag has them, and what is near them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { robotsRules } from '../../src/page/robots-rules.ts';
import { processorMs } from '../processor-time.ts';

const CASES: readonly (readonly [texts: readonly string[], noindex: boolean, nofollow: boolean])[] = [
  [[], false, false],
  [['noindex'], true, false],
  [['NoIndex, NoFollow'], true, true],
  [['none'], true, true],
  [['noindex nofollow'], true, true],
  [['index', 'nofollow'], false, true],
  [['noindexing'], false, false],
  // Directives with values: the value is none of ours.
  [['max-image-preview:none'], false, false],
  [['max-image-preview: none, max-snippet: -1'], false, false],
  [['index max-image-preview: none'], false, false],
  [['unavailable_after: 25 Jun 2010 15:00:00 PST, nofollow'], false, true],
  [['unavailable_after: 2027-01-01 00:00:00, noindex'], true, false],
  [['unavailable_after: Sunday, 06-Nov-94 08:49:37 GMT, noindex'], true, false],
  [['360spider: noindex'], false, false],
  [['max-video-preview:none, noindex'], true, false],
  // Said to one robot, up to the next name.
  [['googlebot: noindex'], false, false],
  [['otherbot: none', 'akin: nofollow'], false, true],
  [['googlebot: noindex, nofollow, akin: noindex'], true, false],
  [['noindex, otherbot: nofollow'], true, false],
  [['googlebot: none', 'nofollow'], false, true],
  [['AKIN: NONE'], true, true],
  // A robot is meant by its product token, as in robots.txt: that has no version and no digits.
  [['akin/2.0: nofollow'], false, true],
  [['otherbot/2.0: noindex'], false, false],
  [['akin2: noindex'], true, false],
  [['akin-images: noindex'], false, false],
  [['otherbot: unavailable_after: 25 Jun 2010 15:00:00 PST, noindex, akin: nofollow'], false, true],
];

test('rules for robots are read as they are documented', () => {
  for (const [texts, noindex, nofollow] of CASES)
    assert.deepEqual(robotsRules(texts, 'akin'), { noindex, nofollow }, texts.join(' | '));
  assert.deepEqual(robotsRules(['MyBot: noindex'], 'mybot'), { noindex: true, nofollow: false });
  // No name is that of a robot without one.
  assert.deepEqual(robotsRules(['360spider: none'], ''), { noindex: false, nofollow: false });
});

test('a text takes time in proportion to its length', () => {
  for (const piece of ['max-', 'max-a ', 'max-a:', 'unavailable_after ', 'a-', ': ']) {
    const ms = processorMs(() => robotsRules([piece.repeat(200_000 / piece.length)], 'akin'));
    assert.ok(ms < 500, `${ms} ms for ${JSON.stringify(piece)}`);
  }
});
