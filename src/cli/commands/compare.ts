import { Command } from 'commander';
import { InputError, optionFault } from '../../errors.ts';
import { decodeBody } from '../../page/decode.ts';
import { jsonBody } from '../../service/http/body.ts';
import type { CompareAnswer } from '../../service/schemas/answers/copy-answers.ts';
import { ask } from '../answers/ask.ts';
import { renderComparison } from '../answers/comparison.ts';
import { documentKind, readDocument } from '../answers/documents.ts';
import { print, printJson, type Terminal } from '../terminal/terminal.ts';

const HELP = `
A and B are each a file of text or HTML, - for standard input, or, with --index, the URL of a page of the
index. Topic similarity needs --index, because the index has the weights of words.

Examples:
  akin compare old.html new.html
  akin compare draft.txt https://example.org/page --index web.akin
  curl -s https://example.org/page | akin compare - page.html --json --text`;

type Side = { readonly url: string } | { readonly html: string } | { readonly text: string };

interface Flags {
  readonly index?: string;
  readonly type?: string;
  readonly json?: true;
  readonly text?: true;
}

/** `akin compare A B`: the answer of `POST /compare`. */
export function compareCommand(terminal: Terminal): Command {
  return new Command('compare')
    .description('print how alike two texts are, and the passages they share')
    .argument('<a>', 'a document, or the URL of a page of the index')
    .argument('<b>', 'another document or URL')
    .option('--index <FILE>', 'the index that holds the URLs')
    .option('--type <KIND>', 'text or html; without it, a document that starts with < is HTML')
    .option('--json', 'print the answer of the HTTP service')
    .option('--text', 'with --json: add the texts, in which the offsets of passages count')
    .addHelpText('after', HELP)
    .action(async (a: string, b: string, flags: Flags) => {
      if (a === '-' && b === '-') {
        throw optionFault('standard input (-) is given twice', 'give it once');
      }
      requireUse(a, b, flags);
      const sides = { a: await sideOf(a, flags, terminal), b: await sideOf(b, flags, terminal) };
      const includeText = flags.json !== true || flags.text === true;
      const answer = await compare(flags.index, sides, includeText);
      if (flags.json === true) printJson(terminal, answer);
      else print(terminal, renderComparison(answer, [a, b]));
    });
}

/** Errors  InputError AKIN_ERR_OPTION for a flag without effect. */
function requireUse(a: string, b: string, { type, json, text }: Flags): void {
  if (text === true && json !== true) {
    throw optionFault('--text needs --json', 'give both, or neither: shared passages are shown without them');
  }
  if (type !== undefined && isUrl(a) && isUrl(b)) {
    throw optionFault('--type is for documents; both sides are pages of the index', 'leave it out');
  }
}

const isUrl = (word: string) => /^https?:\/\//i.test(word);

async function sideOf(word: string, { index, type }: Flags, terminal: Terminal): Promise<Side> {
  if (isUrl(word)) {
    if (index !== undefined) return { url: word };
    throw optionFault(
      `${word} is a URL, but no index is given`,
      'name the index that holds it: --index web.akin',
    );
  }
  const bytes = await readDocument(word, terminal);
  const decoded = decodeBody(bytes, null);
  if (decoded === null) {
    const { isIndexFile } = await import('../../store/database.ts');
    throw new InputError('AKIN_ERR_DOCUMENT', `${word} is binary data`, {
      hint: isIndexFile(word)
        ? `name an index with --index: akin compare A B --index ${word}`
        : 'give a text or HTML document',
    });
  }
  return documentKind(type, bytes) === 'html' ? { html: decoded.text } : { text: decoded.text };
}

async function compare(
  index: string | undefined,
  sides: { readonly a: Side; readonly b: Side },
  includeText: boolean,
): Promise<CompareAnswer> {
  if (index !== undefined) {
    return ask('compare', index, 'compare', { include_text: includeText }, jsonBody(sides));
  }
  const { compareAnswer } = await import('../../service/answers/documents/compare.ts');
  const { postedText } = await import('../../service/answers/documents/compared-text.ts');
  const [a, b] = await Promise.all(
    [sides.a, sides.b].map((side) =>
      postedText(null, {
        ...('html' in side
          ? { kind: 'html' as const, content: side.html }
          : { kind: 'text' as const, content: 'text' in side ? side.text : '' }),
        title: undefined,
        url: null,
        baseUrl: null,
      }),
    ),
  );
  return compareAnswer(null, a!, b!, includeText);
}
