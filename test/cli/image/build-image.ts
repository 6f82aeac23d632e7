/** Runs every step of the Dockerfile, stage by stage, each in a container of its own. */
import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { makeRoot, NODE_USER, run } from './container.ts';
import { isInContext, parseDockerfile, type Stage } from './dockerfile.ts';

export interface Image {
  readonly root: string;
  readonly folder: string;
  readonly user: number;
  readonly env: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

/** Builds the last stage of the Dockerfile in `context` under `folder`. Errors  where a step fails. */
export async function buildImage(context: string, folder: string): Promise<Image> {
  const stages = parseDockerfile(readFileSync(join(context, 'Dockerfile'), 'utf8'));
  const roots = new Map<string, string>();
  let image: Image | undefined;
  for (const stage of stages) {
    const root = join(folder, stage.name);
    makeRoot(root);
    image = await buildStage(stage, root, context, roots);
    roots.set(stage.name, root);
  }
  return image!;
}

async function buildStage(
  { base, instructions }: Stage,
  root: string,
  context: string,
  roots: ReadonlyMap<string, string>,
): Promise<Image> {
  const node = process.versions.node.split('.')[0];
  if (base !== `node:${node}-slim`) throw new Error(`FROM ${base}: the tests run on Node ${node}`);
  let image: Image = { root, folder: '/', user: 0, env: {}, entrypoint: [], command: [], healthCheck: [] };
  for (const { name, text } of instructions) {
    switch (name) {
      case 'WORKDIR':
        image = { ...image, folder: text };
        mkdirSync(join(root, text), { recursive: true });
        break;
      case 'ENV':
        image = {
          ...image,
          env: { ...image.env, ...Object.fromEntries(text.split(' ').map((pair) => pair.split('='))) },
        };
        break;
      case 'COPY':
        copy(text, image, context, roots);
        break;
      case 'RUN': {
        const { status, output } = await run(root, ['sh', '-c', text], image);
        if (status !== 0) throw new Error(`RUN ${text}: exit code ${status}\n${output}`);
        break;
      }
      case 'USER':
        if (text !== 'node') throw new Error(`USER ${text}: not a user of the base image`);
        image = { ...image, user: NODE_USER };
        break;
      case 'ENTRYPOINT':
        image = { ...image, entrypoint: JSON.parse(text) };
        break;
      case 'CMD':
        image = { ...image, command: JSON.parse(text) };
        break;
      case 'HEALTHCHECK':
        image = { ...image, healthCheck: JSON.parse(text.replace(/^.*CMD /, '')) };
        break;
      case 'VOLUME':
      case 'EXPOSE':
        break;
      default:
        throw new Error(`${name}: not an instruction that this test can run`);
    }
  }
  return image;
}

function copy(
  text: string,
  { root, folder }: Image,
  context: string,
  roots: ReadonlyMap<string, string>,
): void {
  const words = text.split(/\s+/);
  const stage = /^--from=(.+)$/.exec(words[0]!)?.[1];
  const paths = stage === undefined ? words : words.slice(1);
  const target = resolve('/', folder, paths.at(-1)!);
  const dockerignore = readFileSync(join(context, '.dockerignore'), 'utf8');
  for (const path of paths.slice(0, -1)) {
    const source = stage === undefined ? join(context, path) : join(roots.get(stage)!, path);
    const isFolder = statSync(source).isDirectory();
    if (stage === undefined && !isFolder && !isInContext(path, dockerignore)) {
      throw new Error(`COPY ${path}: .dockerignore leaves it out`);
    }
    // A folder's contents go into the target, a file keeps its name.
    cpSync(source, join(root, isFolder ? target : join(target, basename(path))), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) =>
        stage !== undefined ||
        statSync(file).isDirectory() ||
        isInContext(relative(context, file), dockerignore),
    });
  }
}
