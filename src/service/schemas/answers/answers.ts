import type { TObject } from 'typebox';
import * as clusters from './cluster-answers.ts';
import * as copies from './copy-answers.ts';
import * as feedback from './feedback-answers.ts';
import * as index from './index-answers.ts';
import * as lists from './list-answers.ts';
import * as live from './live-answers.ts';
import * as problems from './problem-answers.ts';
import * as rows from './row-answers.ts';
import * as search from './search-answers.ts';
import * as sites from './site-answers.ts';
import * as terms from './term-answers.ts';
import * as time from './time-answers.ts';

const OF_LISTS = { ...problems, ...lists, ...terms, ...clusters };
const OTHERS = [feedback, live, copies, time, search, sites, index, rows].map((all) =>
  Object.values<unknown>(all),
);

/**
 * The shapes of all answers, as shared schemas that the OpenAPI document names, in its order. Answers are
 * written without them (serializing by schema is no faster); the tests hold every answer against them.
 */
export const ANSWER_SCHEMAS = [...Object.values<unknown>(OF_LISTS), ...OTHERS.flat()].filter(
  (one) => one instanceof Object && '$id' in one,
) as (TObject & { readonly $id: string })[];
