import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { defineConfig } from 'vitepress';

const ROOT = new URL('../../', import.meta.url);
const PROJECT = 'https://github.com/akin-web/akin/blob/main/';
/** Files of the project that are pages of the site. */
const IS_PAGE = /^(README|ARCHITECTURE|CHANGELOG)\.md$|^docs\/.+\.(md|png)$/;

/** The heading of a text. */
const titleOf = (file) => /^# (.+)/.exec(readFileSync(file, 'utf8'))[1];

const recipes = readdirSync(new URL('docs/recipes/', ROOT))
  .filter((name) => name !== 'README.md')
  .map((name) => ({ text: titleOf(new URL(`docs/recipes/${name}`, ROOT)), link: `/docs/recipes/${name}` }));
const page = (text, link) => ({ text, link });

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
      const source = env.relativePath === 'index.md' ? 'README.md' : env.relativePath;
      const full = posix.join(posix.dirname(source), path);
      // A README is the first page of its folder.
      tokens[i].attrSet('href', IS_PAGE.test(full) ? target.replace('README.md', 'index.md') : PROJECT + full);
    }
    return draw(tokens, i, options, env, self);
  };
}

export default defineConfig({
  title: 'akin',
  // No icon, or browsers ask the root of the host for one.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  description: "What's Related for the web",
  lang: 'en-US',
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: '.vitepress/cache',
  rewrites: { 'README.md': 'index.md', 'docs/recipes/README.md': 'docs/recipes/index.md' },
  markdown: {
    config: (md) => {
      keepBraces(md);
      linkOutward(md);
    },
  },
  // Nothing here is TypeScript; without this the build reads the settings of the project.
  vite: { esbuild: { tsconfigRaw: {} } },
  themeConfig: {
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: 'https://github.com/akin-web/akin' }],
    sidebar: [
      { text: 'Start', items: [page('akin', '/'), page('On your site', '/docs/embedding.md'), page('Crawling', '/docs/crawling.md'), page('Shards', '/docs/sharding.md')] },
      { text: 'Recipes', link: '/docs/recipes/', collapsed: true, items: recipes },
      {
        text: 'Reference',
        items: [
          page('Errors', '/docs/errors.md'),
          page('Formats', '/docs/formats.md'),
          page('Security', '/docs/security.md'),
          page('Glossary', '/docs/glossary.md'),
        ],
      },
      {
        text: 'Inside',
        items: [
          page('Architecture', '/ARCHITECTURE.md'),
          page('Evaluation', '/docs/evaluation.md'),
          page('Changes', '/CHANGELOG.md'),
        ],
      },
    ],
  },
});
