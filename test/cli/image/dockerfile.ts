/** Reads a Dockerfile and a .dockerignore: as much of both as this project uses, and an error for anything else. */
interface Instruction {
  readonly name: string;
  readonly text: string;
}

export interface Stage {
  readonly base: string;
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

export function parseDockerfile(text: string): Stage[] {
  const stages: { base: string; name: string; instructions: Instruction[] }[] = [];
  const lines = text.replace(/^\s*#.*\n/gm, '').replace(/\\\n\s*/g, ' ');
  for (const line of lines.split('\n').filter((line) => line.trim() !== '')) {
    const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`not an instruction: ${line}`);
    if (name !== 'FROM') {
      stages.at(-1)!.instructions.push({ name, text: rest! });
      continue;
    }
    const [, base, stage] = /^(\S+)(?: AS (\S+))?$/.exec(rest!) ?? [];
    stages.push({ base: base!, name: stage ?? 'final', instructions: [] });
  }
  return stages;
}

/**
 * Whether .dockerignore leaves a path, from the folder of the Dockerfile, to COPY. The last line that fits counts: `*`,
 * or a path with all below it.
 */
export function isInContext(path: string, dockerignore: string): boolean {
  let isIn = true;
  for (const line of dockerignore.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const pattern = line.replace(/^!/, '');
    if (pattern !== '*' && /[*?[]/.test(pattern))
      throw new Error(`.dockerignore: ${line}: not supported here`);
    if (pattern === '*' || path === pattern || path.startsWith(`${pattern}/`)) isIn = line.startsWith('!');
  }
  return isIn;
}
