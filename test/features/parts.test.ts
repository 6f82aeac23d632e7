import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatParts, parseParts, usedShares } from '../../src/features/parts.ts';

test('shares are scaled to sum 1, a name alone has one share, and the order is that of the parts', () => {
  assert.deepEqual(parseParts('content'), { content: 1 });
  assert.deepEqual(parseParts('title=1,content=3'), { content: 0.75, title: 0.25 });
  assert.deepEqual(parseParts('content,anchor'), { content: 0.5, anchor: 0.5 });
  assert.deepEqual(parseParts('content=.8, title=.05,anchor=.15'), {
    content: 0.8,
    title: 0.05,
    anchor: 0.15,
  });
  assert.equal(formatParts(parseParts('title=1,content=3')!), 'content=0.75,title=0.25');
});

test('what is written is read again as the same shares', () => {
  for (const text of ['content=1,title=1,anchor=1', 'content=7,title=.1', 'anchor=3,title=1000']) {
    const shares = parseParts(text)!;
    assert.deepEqual(parseParts(formatParts(shares)), shares, text);
  }
});

test('a name that is not built in is a group of features, behind the others', () => {
  assert.deepEqual(Object.entries(parseParts('tags,content=2,authors')!), [
    ['content', 0.5],
    ['authors', 0.25],
    ['tags', 0.25],
  ]);
});

test('a malformed, repeated, empty or negative part is none', () => {
  for (const text of [
    '',
    'Tags',
    'content=',
    'content=0',
    'content=-1',
    'content=1,content=1',
    'content=1;title=1',
    'content=1,constructor=1',
  ])
    assert.equal(parseParts(text), undefined, text);
  for (const text of ['content=1,', 'content=1e3', 'content=NaN', 'content=Infinity', 'content 1'])
    assert.equal(parseParts(text), undefined, text);
});

test('a part that no page has leaves its share to the others in proportion', () => {
  const shares = { content: 0.8, title: 0.05, anchor: 0.15 };
  assert.deepEqual(
    usedShares(shares, (part) => part === 'title'),
    { content: 0.842105, anchor: 0.157895 },
  );
  assert.deepEqual(
    usedShares(shares, () => false),
    shares,
  );
  assert.deepEqual(
    usedShares(shares, () => true),
    shares,
  );
});
