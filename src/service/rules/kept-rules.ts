import { ConfigError } from '../../errors.ts';
import { readRulesFile, writeRulesFile } from '../../store/rules-file.ts';
import { Problem } from '../http/problems/problem.ts';
import { NO_RULES, type Rules, readRules } from './rules.ts';

/** The rules of a file, none where there is none. Errors  ConfigError AKIN_ERR_CONFIG where they cannot be read. */
export function rulesIn(path: string): Rules {
  try {
    const file = readRulesFile(path);
    return file === null ? NO_RULES : readRules(JSON.parse(file.text), file.changedMs);
  } catch (cause) {
    throw new ConfigError('AKIN_ERR_CONFIG', `${path}: ${(cause as Error).message}`, {
      hint: 'docs/rules.md says what it may hold',
      cause,
    });
  }
}

/** Keeps rules in a file: they are on the disk when it returns. Errors  Problem `rules-full`; the system's own. */
export function keepRules(path: string, { rules }: Rules): void {
  try {
    writeRulesFile(path, rules.length === 0 ? null : `${JSON.stringify({ rules }, null, 1)}\n`);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw cause;
    throw new Problem('rules-full', 'the disk of the index has no room for the rules; those before hold', {
      cause,
    });
  }
}
