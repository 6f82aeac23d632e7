/** The plugins in the real generators: a small site is built twice, as its owner would. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { newFolder } from '../new-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = newFolder('generators');
after(() => rmSync(folder, { recursive: true, force: true }));
const env = {
  ...process.env,
  PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
  NODE_OPTIONS: '--conditions=akin-source',
  ASTRO_TELEMETRY_DISABLED: '1',
};

const TOPICS = [
  'green tea leaves steep in a warm pot of clay',
  'sour dough of rye becomes bread in a hot oven',
  'a telescope shows planets and rings at night',
  'roses are pruned above a bud in early spring',
];
const POSTS = Array.from({ length: 12 }, (_, i) => ({ name: `p${i}`, text: `${TOPICS[i % 4]}, part ${i}` }));

interface Generator {
  /** The folder of its packages. */
  readonly packages: string;
  readonly files: Readonly<Record<string, string>>;
  readonly post: (name: string) => string;
  readonly layout: string;
  readonly build: readonly string[];
  readonly out: string;
}

const page = (title: string, content: string) =>
  `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>` +
  `<body><main>${content}</main><!-- akin-related --></body></html>\n`;

const GENERATORS: Readonly<Record<string, Generator>> = {
  eleventy: {
    packages: 'eleventy',
    files: {
      'eleventy.config.js': `import { akin } from 'akin-web/eleventy';
export default (config) => { config.addPlugin(akin, { base: 'https://blog.example/', limit: 2 }); };`,
      '_includes/post.html': page('{{ title }}', '{{ content }}'),
    },
    post: (name) => `posts/${name}.md`,
    layout: 'post.html',
    build: ['node_modules/@11ty/eleventy/cmd.cjs', '--quiet'],
    out: '_site',
  },
  'the filter of eleventy': {
    packages: 'eleventy',
    files: {
      'eleventy.config.js': `import { akin } from 'akin-web/eleventy';
export default (config) => { config.addPlugin(akin, { base: 'https://blog.example/', limit: 2 }); };`,
      'posts/posts.json': '{ "tags": "post" }',
      '_includes/post.html': page(
        '{{ title }}',
        `{{ content }}{% assign pages = collections.post | related: page.url %}{% for post in pages %}
<a class="akin-link" href="https://blog.example{{ post.url }}">{{ post.data.title }}</a>{% endfor %}`,
      ),
    },
    post: (name) => `posts/${name}.md`,
    layout: 'post.html',
    build: ['node_modules/@11ty/eleventy/cmd.cjs', '--quiet'],
    out: '_site',
  },
  astro: {
    packages: 'astro',
    files: {
      'astro.config.mjs': `import { defineConfig } from 'astro/config';
import { akin } from 'akin-web/astro';
export default defineConfig({ site: 'https://blog.example', integrations: [akin({ limit: 2 })] });`,
      'src/layouts/Post.astro': `---\nconst { frontmatter } = Astro.props;\n---\n${page('{frontmatter.title}', '<slot />')}`,
      'src/pages/404.astro': page('Gone', 'not here'),
    },
    post: (name) => `src/pages/posts/${name}.md`,
    layout: '../../layouts/Post.astro',
    build: ['node_modules/.bin/astro', 'build'],
    out: 'dist',
  },
};

for (const [name, { packages, files, post, layout, build, out }] of Object.entries(GENERATORS)) {
  test(`${name}: posts of a built site show related posts`, () => {
    const site = join(folder, name);
    cpSync(join(ROOT, 'test/library/generators', packages), site, { recursive: true });
    const run = (command: string, argv: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync(command, argv, { cwd: site, encoding: 'utf8', env });
      assert.equal(status, 0, `${command} ${argv.join(' ')}:\n${stdout}${stderr}`);
    };
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
    symlinkSync(ROOT, join(site, 'node_modules/akin-web'));
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(site, path)), { recursive: true });
      writeFileSync(join(site, path), text);
    };
    for (const [path, text] of Object.entries(files)) write(path, text);
    for (const { name: slug, text } of POSTS) {
      write(post(slug), `---\ntitle: Post ${slug}\nlayout: ${layout}\n---\n${text}\n`);
    }
    const built = () => {
      run(process.execPath, build);
      return POSTS.map(({ name: slug }) =>
        readFileSync(join(site, out, 'posts', slug, 'index.html'), 'utf8'),
      );
    };
    const pages = built();
    for (const [i, html] of pages.entries()) {
      const links = [...html.matchAll(/class="akin-link" href="https:\/\/blog\.example\/posts\/p(\d+)\/"/g)];
      assert.equal(links.length, 2, html);
      for (const [, other] of links) assert.equal(Number(other) % 4, i % 4, 'of the same topic');
    }
    assert.deepEqual(built(), pages, 'a second build gives the same');
    if (name !== 'astro') return;
    assert.doesNotMatch(readFileSync(join(site, out, '404.html'), 'utf8'), /<section/);
  });
}
