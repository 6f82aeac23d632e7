/** The reference of the API for people: a page of all routes, and one for each. Plain HTML, without script. */
import { type Html, html } from '../http/markup.ts';
import { asCurl, asJavaScript, asPython, exampleRequest } from './example-request.ts';
import { type ApiDocument, answerOf, type Route, routesOf, type Shape } from './operation.ts';
import { shapeTree, typeOf } from './shape-tree.ts';

/** @param base where the service is on its host */
export function allRoutes(document: ApiDocument, base: string): Html {
  const routes = routesOf(document);
  return html`<h1>HTTP API</h1>
${document.info.description.split('\n\n').map((text) => html`<p class="said">${text}</p>\n`)}
<p class="said">Where the operator gave out keys, a request brings one: <code>Authorization: Bearer KEY</code>.</p>
<p class="actions"><a href="${base}/openapi.json">All of it as OpenAPI 3.1</a></p>
<nav class="choice" aria-label="Groups of routes">${document.tags.map(({ name }) => html`<a href="#${name}">${name}</a>\n`)}</nav>
${document.tags.map(({ name, description }) => {
  const own = routes.filter(({ operation }) => operation.tags[0] === name);
  return html`<section aria-labelledby="${name}"><h2 id="${name}">${description}</h2>
<ul class="plain">${own.map(
    (route) => html`<li>${routeLink(route, base)}<br><small>${route.operation.summary}</small></li>\n`,
  )}</ul></section>
`;
})}`;
}

function routeLink({ method, path, operation }: Route, base: string): Html {
  return html`<a href="${base}/docs/${operation.operationId}"><code>${method} ${path}</code></a>`;
}

/** @param origin scheme, host and port, as the reader reaches them */
export function oneRoute(document: ApiDocument, route: Route, origin: string, base: string): Html {
  const { operation, method, path } = route;
  const { schemas } = document.components;
  const request = exampleRequest(origin + base, route);
  const answer = answerOf(operation);
  const near = routesOf(document).filter(
    (one) => one.operation.tags[0] === operation.tags[0] && one.operation !== operation,
  );
  const problems = Object.entries(operation.responses).filter(([status]) => status >= '400');
  return html`<p class="path"><a href="${base}/docs">HTTP API</a></p>
<h1><code>${method} ${path}</code></h1>
<p class="lead">${operation.summary}</p>
${operation.description !== undefined && html`<p class="said">${operation.description}</p>\n`}
<section aria-labelledby="request"><h2 id="request">A request</h2>
${[
  ['curl', asCurl(request)],
  ['JavaScript', asJavaScript(request)],
  ['Python', asPython(request)],
].map(
  (
    [name, code],
    i,
  ) => html`<details class="code" name="language"${i === 0 && html` open`}><summary>${name}</summary>
<pre tabindex="0" aria-label="${name}"><code>${code}</code></pre></details>
`,
)}${method === 'GET' && html`<p class="actions"><a href="${request.url}">What it answers</a></p>\n`}</section>
${parameters(route, schemas)}
${Object.entries(operation.requestBody?.content ?? {}).map(
  ([mediaType, { schema }]) => html`<section><h2>Body, as ${mediaType}</h2>
${schema.description !== undefined && html`<p class="said">${schema.description}</p>\n`}${shapeTree(schemas, schema)}</section>
`,
)}
<section aria-labelledby="answer"><h2 id="answer">The answer${answer.mediaType !== '' && `, as ${answer.mediaType}`}</h2>
<p class="said">${answer.description}</p>
${shapeTree(schemas, answer.shape)}</section>
<section aria-labelledby="problems"><h2 id="problems">Problems</h2>
<dl class="rows">${problems.map(([status, { description }]) => html`<dt>${status}</dt><dd>${description}</dd>\n`)}</dl></section>
<section aria-labelledby="near"><h2 id="near">Beside it</h2>
<ul class="plain">${near.map((one) => html`<li>${routeLink(one, base)}</li>\n`)}</ul></section>`;
}

function parameters({ operation }: Route, shapes: Readonly<Record<string, Shape>>): Html | false {
  const { parameters: given = [] } = operation;
  if (given.length === 0) return false;
  return html`<section aria-labelledby="parameters"><h2 id="parameters">Parameters</h2>
<ul class="shape">${given.map(
    ({ name, in: place, required, description, schema }) =>
      html`<li><code>${name}</code> <span class="type">${typeOf(shapes, schema)}${
        required === true ? ', needed' : ''
      }${place === 'query' ? '' : `, in the ${place}`}${limitsOf(schema)}</span>${description !== undefined && html`<p>${description}</p>`}</li>\n`,
  )}</ul></section>`;
}

function limitsOf({ minimum, maximum, maxItems, default: value }: Shape): string {
  const limits = [
    minimum !== undefined && maximum !== undefined && `${minimum} to ${maximum}`,
    maxItems !== undefined && `at most ${maxItems}`,
    value !== undefined && !Array.isArray(value) && `${value} by default`,
  ].filter((one) => one !== false);
  return limits.length === 0 ? '' : `, ${limits.join(', ')}`;
}
