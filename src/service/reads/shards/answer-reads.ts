/** Answers what a router asks of a shard: pages by their whole ids, out and in. */
import { Problem } from '../../http/problems/problem.ts';
import type { FileReads } from '../file/file-reads.ts';
import { isRead } from '../read-checks.ts';
import { encodeReads, MAX_ANSWER_BYTES } from '../read-codec.ts';
import type { AskedRead, FoundUrl } from '../read-table.ts';
import { TooMuchWork, Unwanted } from '../work.ts';

/** Items of a list that are named with the page that is found. */
const NAMED_NEIGHBORS = 12;

type Ask = (this: FileReads, ...args: readonly unknown[]) => Promise<unknown>;

/**
 * The answers in the order of the reads, as `encodeReads` writes them.
 *
 * Errors  Problem `invalid-body` for what is no read, has no such page or version, or has more characters of answers;
 *         TooMuchWork, Unwanted.
 */
export async function readsAnswer(
  shard: FileReads,
  reads: readonly AskedRead[],
  mostCharacters = MAX_ANSWER_BYTES,
): Promise<string> {
  let length = 0;
  const texts: string[] = [];
  for (const [place, [name, ...args]] of reads.entries()) {
    if (!isRead([name, ...args]))
      throw new Problem('invalid-body', `[${place}]: there is no read ${name} of these arguments`);
    let text: string;
    try {
      const value = await (shard[name] as Ask).call(shard, ...args);
      text = encodeReads(name === 'find' ? await withNext(shard, value as FoundUrl) : value);
    } catch (cause) {
      if (cause instanceof TooMuchWork || cause instanceof Unwanted) throw cause;
      throw new Problem('invalid-body', `[${place}]: ${name} cannot be answered`, { cause });
    }
    length += text.length + 1;
    if (length >= mostCharacters)
      throw new Problem(
        'invalid-body',
        `[${place}]: what is read has more than ${mostCharacters} characters`,
      );
    texts.push(text);
  }
  return `[${texts.join(',')}]`;
}

/** Adds what is asked next of most pages, so that it need not be. */
async function withNext(shard: FileReads, found: FoundUrl): Promise<FoundUrl> {
  const { pageId } = found;
  if (pageId < 0 || !shard.has(pageId)) return found;
  const relationId = shard.facts.card.relations[0]!.id;
  const list = await shard.neighbors(relationId, pageId);
  const named = await Promise.all(
    Array.from(list.ids.subarray(0, NAMED_NEIGHBORS), async (id) => (await shard.named(id))!),
  );
  return { pageId, page: await shard.page(pageId), neighbors: { relationId, list }, named };
}
