/** Questions about documents that the index has never seen, each answered on a thread. */
import { Type } from '../../../lib/json-schema.ts';
import { postedComparison, postedCover, postedGroups, postedSimilar } from '../../answers/posted.ts';
import { MAX_PAGE_BYTES } from '../../http/body.ts';
import { ComparisonSchema, CoverSchema, GroupsSchema } from '../../schemas/answers/copy-answers.ts';
import { SimilarSchema } from '../../schemas/answers/list-answers.ts';
import { CompareBody, DocumentBody, GroupBody, SimilarBody } from '../../schemas/parameters/bodies.ts';
import { SIMILAR } from '../../schemas/parameters/list-parameters.ts';
import { COMPARE, COVER } from '../../schemas/parameters/parameters.ts';
import { route } from '../route/route.ts';

const MEBIBYTE = 2 ** 20;

/** A document as JSON, or by itself. */
const DOCUMENT = {
  'application/json': DocumentBody,
  'text/html': Type.String({ description: 'The document itself.' }),
  'text/plain': Type.String({ description: 'The document itself.' }),
};

export const DOCUMENT_ROUTES = {
  similar: route({
    method: 'POST',
    path: '/similar',
    summary: 'Pages related to a document the index has never seen, or to several examples',
    tag: 'documents',
    query: SIMILAR,
    body: { ...DOCUMENT, 'application/json': SimilarBody },
    bodyLimit: MAX_PAGE_BYTES,
    answers: SimilarSchema,
    says: 'The list, the terms of the document, and where it would fall.',
    problems: [404, 410, 413, 415],
    isLong: () => true,
    answer: postedSimilar,
  }),
  compare: route({
    method: 'POST',
    path: '/compare',
    summary: 'How alike two texts are, and the passages they share',
    tag: 'documents',
    query: COMPARE,
    body: { 'application/json': CompareBody },
    bodyLimit: 2 * MEBIBYTE,
    answers: ComparisonSchema,
    says: 'Topic similarity, resemblance, containment both ways and the shared passages.',
    problems: [404, 413, 415],
    isLong: () => true,
    answer: postedComparison,
  }),
  cover: route({
    method: 'POST',
    path: '/cover',
    summary: 'The fewest pages that hold a text together, and what of it none holds',
    tag: 'documents',
    query: COVER,
    body: DOCUMENT,
    bodyLimit: MAX_PAGE_BYTES,
    answers: CoverSchema,
    says: 'Pages in the order in which they are taken: each adds most to those before it.',
    problems: [404, 413, 415],
    isLong: () => true,
    answer: postedCover,
  }),
  group: route({
    method: 'POST',
    path: '/group',
    summary: 'A list of results with its copies folded together',
    tag: 'documents',
    query: {},
    body: { 'application/json': GroupBody },
    bodyLimit: MAX_PAGE_BYTES,
    answers: GroupsSchema,
    says: 'The groups in the order of their first results.',
    problems: [413, 415],
    isLong: () => true,
    answer: postedGroups,
  }),
};
