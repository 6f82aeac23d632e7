/** The pages a person looks at: registered on the app of the service, which they ask what any caller may ask. */
import type { App } from './ask.ts';
import { Refusal } from './ask.ts';
import { addAssets } from './assets.ts';
import { type Context, contextOf } from './context.ts';
import { homePage } from './pages/home.ts';
import { pathPage, problemPage } from './pages/problem.ts';
import { Asked, type Made, type PageMaker, reply } from './reply.ts';

/** Path, and what makes its page. */
const PAGES: readonly [path: string, make: PageMaker][] = [
  ['/', homePage],
  ['/explore/*', pathPage],
];

/** Adds the explorer to an app; for its option `extend`. */
export function addExplorer(app: App): void {
  const assets = addAssets(app);
  for (const [path, make] of PAGES) {
    app.get(path, { schema: { hide: true } }, async (request, response) => {
      const context = contextOf(app, assets, app.prefix, request);
      const asked = new Asked(request.query as object, request.params as object);
      return reply(request, response, await made(context, asked, make));
    });
  }
}

async function made(context: Context, asked: Asked, make: PageMaker): Promise<Made> {
  try {
    return await make(context, asked);
  } catch (error) {
    if (error instanceof Refusal) return problemPage(context, asked, error.problem);
    throw error;
  }
}
