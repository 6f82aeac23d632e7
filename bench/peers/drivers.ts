/** Starts the drivers of other languages; what they need is fetched by pip and Maven into a folder that is kept. */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BenchSkipped } from '../bench.ts';

const HERE = import.meta.dirname;
const CACHE = join(tmpdir(), 'akin-bench-cache', 'peers');
const LIMIT_MS = 15 * 60_000;

export interface PeerSetting {
  readonly name: string;
  readonly indexSeconds: number;
  /** Processor time of it, of all threads; where measured. */
  readonly indexCpuSeconds?: number;
  readonly queryMs: readonly number[];
  readonly answers: readonly (readonly number[])[];
  /** Seconds to the nearest pages of every page, where measured. */
  readonly allSeconds?: number;
  /** What was ranked to get the answers, where the peer tells. */
  readonly candidates?: readonly (readonly number[])[];
}

export interface PeerResult {
  /** -1 where unknown. */
  readonly peakMiB: number;
  readonly settings: readonly PeerSetting[];
}

/** Runs a script of this folder in a virtual environment with the given packages, pinned. */
export async function runPython(
  script: string,
  packages: readonly string[],
  folder: string,
): Promise<PeerResult> {
  const home = join(CACHE, script.replace(/\W/g, '-'));
  const python = join(home, 'bin', 'python');
  need('python3', ['--version']);
  if (!existsSync(python)) prepare('python3', ['-m', 'venv', home]);
  prepare(python, ['-m', 'pip', 'install', '--quiet', ...packages]);
  await run(python, [join(HERE, script), folder]);
  return resultIn(folder);
}

/** Runs a script of this folder by the Node that runs this. */
export async function runNode(script: string, given: readonly string[], folder: string): Promise<PeerResult> {
  await run(process.execPath, [join(HERE, script), folder, ...given]);
  return resultIn(folder);
}

/** Runs a single-file Java program of this folder with the libraries of its pom.xml. */
export async function runJava(source: string, folder: string): Promise<PeerResult> {
  const libraries = join(CACHE, 'java');
  need('java', ['-version']);
  if (!existsSync(libraries)) {
    need('mvn', ['--version']);
    const project = join(CACHE, 'maven');
    mkdirSync(project, { recursive: true });
    cpSync(join(HERE, 'pom.xml'), join(project, 'pom.xml'));
    const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${libraries}`];
    prepare('mvn', ['-q', '-B', '-f', join(project, 'pom.xml'), ...goal]);
  }
  await run('java', ['-Xmx4g', '-cp', join(libraries, '*'), join(HERE, source), folder]);
  return resultIn(folder);
}

function need(command: string, probe: readonly string[]): void {
  try {
    execFileSync(command, probe, { stdio: 'ignore' });
  } catch {
    throw new BenchSkipped(`${command} is absent`);
  }
}

function prepare(command: string, given: readonly string[]): void {
  try {
    execFileSync(command, given, { stdio: ['ignore', 'ignore', 'inherit'] });
  } catch {
    throw new BenchSkipped(`${[command, ...given].join(' ')} failed`);
  }
}

function run(command: string, given: readonly string[]): Promise<void> {
  const child = spawn(command, given, { stdio: ['ignore', 'ignore', 'inherit'], timeout: LIMIT_MS });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (code === 0) resolve();
      else
        reject(
          new BenchSkipped(signal === null ? `exit code ${code}` : `not done in ${LIMIT_MS / 60_000} min`),
        );
    });
  });
}

function resultIn(folder: string): PeerResult {
  return JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')) as PeerResult;
}
