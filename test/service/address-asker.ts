/** Asks an open index without a server by the addresses that one has, as commands and programs ask it by names. */
import { jsonBody, type PostedBody } from '../../src/service/http/body.ts';
import { Problem, problemBody } from '../../src/service/http/problems/problem.ts';
import { parseQueryText } from '../../src/service/http/question/query-text.ts';
import type { OpenIndex } from '../../src/service/reads/file/open-index.ts';
import { indexAsker } from '../../src/service/routes/ask-index.ts';
import { ROUTES } from '../../src/service/routes/table.ts';

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Resolves to null where the route answers from more than the index. Errors  those that are no problems of the asker. */
export function addressAsker(
  index: OpenIndex,
): (address: string, body?: object | string) => Promise<Answer | null> {
  const ask = indexAsker(index);
  return async (address, body) => {
    const [path = '', query = ''] = address.split('?', 2);
    for (const [name, row] of Object.entries(ROUTES)) {
      const inPath = new RegExp(`^${row.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`).exec(path)?.groups;
      if (row.method !== (body === undefined ? 'GET' : 'POST') || !('answer' in row)) continue;
      if (inPath === undefined && path !== row.path) continue;
      try {
        const value = await ask(name, { ...parseQueryText(query), ...inPath }, posted(body));
        return { status: 200, text: typeof value === 'string' ? value : JSON.stringify(value) };
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const problem = problemBody(error, address);
        return { status: problem.status, text: JSON.stringify(problem) };
      }
    }
    return null;
  };
}

function posted(body: object | string | undefined): PostedBody | null {
  if (body === undefined) return null;
  if (typeof body === 'object') return jsonBody(body);
  return { mediaType: 'text/plain', charset: null, bytes: new TextEncoder().encode(body) };
}
