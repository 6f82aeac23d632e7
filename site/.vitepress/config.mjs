import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { defineConfig } from 'vitepress';

const ROOT = new URL('../../', import.meta.url);
const PROJECT = 'https://github.com/akin-web/akin/blob/main/';
/** The service that the search box asks; a site that is built without one is searched in the browser. */
const SERVICE = process.env.AKIN_SITE_SERVICE;
/** Files of the project that are pages of the site. */
const IS_PAGE = /^(README|ARCHITECTURE|CHANGELOG)\.md$|^docs\/.+\.(md|png)$/;

/** The heading of a text. */
const titleOf = (file) => /^# (.+)/.exec(readFileSync(file, 'utf8'))[1];

const recipes = readdirSync(new URL('docs/recipes/', ROOT))
  .filter((name) => name !== 'README.md')
  .map((name) => ({ text: titleOf(new URL(`docs/recipes/${name}`, ROOT)), link: `/docs/recipes/${name}` }));

/** A README is the first page of its folder. */
const pageOf = (path) => path.replace('README.md', 'index.md');

/** The parts of docs/README.md, the order of reading; every link of a chapter to a page of the site is an item. */
function bookParts() {
  const [, ...parts] = readFileSync(new URL('docs/README.md', ROOT), 'utf8').split(/^## /m);
  return parts.map((part) => ({
    text: part.split('\n')[0],
    items: [...part.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].flatMap(chapter),
  }));
}

function chapter([, text, path]) {
  const full = posix.join('docs', path);
  if (!IS_PAGE.test(full)) return [];
  // A link in the middle of a sentence is a title here.
  const item = { text: text[0].toUpperCase() + text.slice(1), link: `/${pageOf(full)}` };
  return [full === 'docs/recipes/README.md' ? { ...item, collapsed: true, items: recipes } : item];
}

/** Code in a line is shown as it stands, braces of templates too. */
function keepBraces(md) {
  md.renderer.rules.code_inline = (tokens, i) => `<code v-pre>${md.utils.escapeHtml(tokens[i].content)}</code>`;
}

/** Links to files that are no page of the site lead to the repository. */
function linkOutward(md) {
  const { link_open: draw = (tokens, i, options, _env, self) => self.renderToken(tokens, i, options) } =
    md.renderer.rules;
  md.renderer.rules.link_open = (tokens, i, options, env, self) => {
    const target = tokens[i].attrGet('href');
    if (!/^([a-z]+:|#|\/)/.test(target)) {
      const [path] = target.split('#');
      const full = posix.join(posix.dirname(env.relativePath), path);
      tokens[i].attrSet('href', IS_PAGE.test(full) ? pageOf(target) : PROJECT + full);
    }
    return draw(tokens, i, options, env, self);
  };
}

export default defineConfig({
  title: 'akin',
  // No icon, or browsers ask the root of the host for one.
  head: [
    ['link', { rel: 'icon', href: 'data:,' }],
    ...(SERVICE ? [['script', { type: 'module', src: `${SERVICE}akin-search.js` }]] : []),
  ],
  description: "What's Related for the web",
  lang: 'en-US',
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: '.vitepress/cache',
  rewrites: pageOf,
  markdown: {
    config: (md) => {
      keepBraces(md);
      linkOutward(md);
    },
  },
  // Nothing here is TypeScript; without this the build reads the settings of the project.
  vite: { esbuild: { tsconfigRaw: {} } },
  themeConfig: {
    // With a service, the theme has its box.
    ...(SERVICE ? { service: SERVICE } : { search: { provider: 'local' } }),
    socialLinks: [{ icon: 'github', link: 'https://github.com/akin-web/akin' }],
    sidebar: [{ text: 'akin', link: '/' }, ...bookParts()],
  },
});
