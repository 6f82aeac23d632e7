import type { IndexAnswer } from '../../service/schemas/index-answers.ts';
import type { Context } from '../context.ts';
import { frame } from '../frame.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';

export async function homePage(context: Context): Promise<Html> {
  const card = await context.ask.get<IndexAnswer>('/index');
  return frame(context, {
    title: 'What is related',
    json: '/index',
    body: html`<h1>${card.page_count} pages</h1>`,
  });
}
