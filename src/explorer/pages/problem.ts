/** What is shown where there is nothing to show: what was asked, why there is nothing, and what to try next. */
import type { ProblemAnswer } from '../../service/schemas/problem-answers.ts';
import type { Context } from '../context.ts';
import { frame } from '../frame.ts';
import { html } from '../html.ts';
import type { Asked, Made } from '../reply.ts';

export function problemPage(context: Context, asked: Asked, problem: ProblemAnswer): Made {
  const { href } = context;
  const faults = problem.errors ?? [];
  return {
    status: problem.status,
    html: frame(context, {
      title: problem.title,
      asked: asked.text('url') || asked.text('q'),
      body: html`<h1>${problem.title}</h1>
<p><bdi>${problem.detail}</bdi></p>
${faults.length > 0 && html`<ul>${faults.map(({ parameter, detail }) => html`<li><b>${parameter}</b> ${detail}</li>`)}</ul>`}
<p><a href="${href('/')}">Start again</a></p>`,
    }),
  };
}

/** For addresses below /explore/ that are none. */
export function pathPage(context: Context, asked: Asked): Made {
  return problemPage(context, asked, {
    type: '/problems/route-not-found',
    title: 'There is no such page',
    status: 404,
    detail: 'The explorer has no page at this address.',
    instance: '',
    code: 'route-not-found',
  });
}
