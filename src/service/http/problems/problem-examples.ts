import { Problem, type ProblemCode, problemBody } from './problem.ts';

const EXAMPLES: Readonly<Record<number, readonly [code: ProblemCode, detail: string]>> = {
  400: ['invalid-parameters', 'limit: must be an integer from 1 to 100'],
  401: ['key-required', 'this needs a key: send Authorization: Bearer KEY'],
  403: ['key-scope', 'the key has the scope read; this needs write'],
  404: [
    'page-not-indexed',
    'https://example.org/new is not in the index; POST /similar finds what is related to its content',
  ],
  408: ['request-timeout', 'the request did not come in time'],
  410: ['generation-changed', 'cursor: the index was replaced; start again without a cursor'],
  412: ['precondition-failed', 'the page is there already (If-None-Match: *)'],
  413: ['body-too-large', 'the body is larger than the 524288 bytes that this route takes'],
  415: ['unsupported-media-type', 'the Content-Type is missing or not taken here; Accept-Post lists what is'],
  417: ['expectation-failed', 'the only expectation that is met is 100-continue'],
  429: ['too-many-requests', 'more than 600 requests a minute; try again in 12 seconds'],
  431: ['headers-too-large', 'the request line and headers are larger than 16 KiB'],
  500: ['internal', 'the request failed; the log of the service has the reason'],
  503: ['overloaded', 'the service is overloaded; come again in 2 seconds'],
  507: [
    'feedback-full',
    'the file of feedback, or its disk, has no room left; its operator can move it away',
  ],
};

/** For the OpenAPI document: of each status that routes name a problem, as it is answered. */
export const PROBLEM_EXAMPLES = Object.fromEntries(
  Object.entries(EXAMPLES).map(([status, [code, detail]]) => {
    const value = problemBody(new Problem(code, detail), '/');
    return [`problem-${status}`, { summary: value.title, value }];
  }),
);
