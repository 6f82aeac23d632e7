/** What a refusal says of a name that is not known: what was likely meant, and where that belongs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../../../src/service/http/problems/problem.ts';
import { parameterReader } from '../../../../src/service/http/question/parameter-reader.ts';
import { questionReader } from '../../../../src/service/http/question/question.ts';
import { SimilarBody } from '../../../../src/service/schemas/parameters/bodies.ts';
import { LIST_FILTERS } from '../../../../src/service/schemas/parameters/list-filters.ts';
import { SIMILAR } from '../../../../src/service/schemas/parameters/list-parameters.ts';
import { CHANGES } from '../../../../src/service/schemas/parameters/parameters.ts';

function refused(read: (input: unknown) => unknown, input: object): string {
  try {
    read(input);
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
  return 'taken';
}

const ofAddress = questionReader(LIST_FILTERS);

test('the name that is nearest is named, in whatever form it was written', () => {
  for (const [given, name] of [
    ['limt', 'limit'],
    ['same-site', 'same_site'],
    ['minSimilarity', 'min_similarity'],
    ['exlude_copeis', 'exclude_copies'],
    ['facet', 'facets'],
  ] as const) {
    assert.equal(refused(ofAddress, { [given]: '1' }), `${given}: unknown parameter; did you mean ${name}?`);
  }
});

test('what is near no name may be a field of pages', () => {
  assert.equal(
    refused(ofAddress, { category: 'tea' }),
    'category: unknown parameter; a field of pages is asked for as field.category',
  );
  assert.equal(refused(ofAddress, { '1': '2' }), '1: unknown parameter');
});

test('a parameter of another route is no field of pages', () => {
  questionReader(CHANGES);
  assert.equal(
    refused(ofAddress, { news: 'major' }),
    'news: unknown parameter; other routes take it, this one does not',
  );
});

test('that a URL must be encoded is said where one may be cut', () => {
  const cut = { exclude: 'https://a.example/?x=1', y: '2' };
  assert.match(refused(ofAddress, cut), /; a URL inside a query must be percent-encoded as a whole/);
  assert.doesNotMatch(refused(ofAddress, { ...cut, exclude: 'https://a.example/' }), /percent-encoded/);
});

test('what stands in a body and belongs into the address is sent there', () => {
  const ofBody = parameterReader(SimilarBody, 'body', SIMILAR);
  assert.equal(
    refused(ofBody, { text: 'tea', limit: 3 }),
    'limit: unknown parameter; it belongs into the address, behind ?',
  );
  assert.match(
    refused(ofBody, { text: 'tea', fields: ['price'] }),
    /^fields: must be a JSON object; of the same name there is one in the address/,
  );
  assert.doesNotMatch(refused(ofBody, { url: 7 }), /address/);
  assert.doesNotMatch(refused(ofBody, { text: 'tea', constructor: 1 }), /address/);
  assert.equal(refused(ofBody, { txet: 'tea' }), 'txet: unknown parameter; did you mean text?');
});
