import { numberIn } from '../../../lib/kept.ts';
import { LOST_SHARDS, Problem } from '../../http/problems/problem.ts';
import type { Accept } from '../accept.ts';
import { IndexFacts } from '../facts.ts';
import { LocalIndex } from '../file/local-index.ts';
import type { OpenFile } from '../file/open-file.ts';
import type { OpenIndex } from '../file/open-index.ts';
import { Found } from '../found.ts';
import { LinkHolder } from '../link-holder.ts';
import { Work } from '../work.ts';
import type { ShardSet } from './shard-set.ts';
import type { UnionFacts } from './union-facts.ts';
import { UnionReads } from './union-reads.ts';

/** `ask` gives the shards as one answer asks them; `files` are those of all shards in their order, where this process has them. */
export function indexOfShards(
  union: UnionFacts,
  ask: (work: Work, isHidden?: Accept) => ShardSet,
  close: () => void,
  files: readonly OpenFile[] = [],
): OpenIndex {
  const facts = new IndexFacts(union);
  const linkGraph = () => links.get();
  const state = { facts, union, sites: new Map<string, number>(), linkGraph, found: new Found() };
  const readsOf = (shards: ShardSet, work: Work) => new UnionReads(shards, state, work);
  const links = new LinkHolder(() => {
    const work = new Work();
    return readsOf(ask(work), work).readGraph();
  });
  const answer: OpenIndex['answer'] = async (make, work = new Work()) => {
    const shards = ask(work);
    const reads = readsOf(shards, work);
    const asked = async () => {
      try {
        return await make(reads);
      } finally {
        reads.requireHomes();
      }
    };
    const value = await asked().catch((error: unknown) => {
      throw saidToLack(error, shards.lost);
    });
    // An answer of nothing would be taken for one.
    if (shards.lost.length === shards.count)
      throw saidToLack(new Problem('shard-unavailable', 'no shard can be asked for this now'), shards.lost);
    return { value: shards.lost.length === 0 ? value : incomplete(value), lost: shards.lost };
  };
  const local = new LocalIndex({
    record: union,
    facts,
    found: state.found,
    files: files.map((file) => ({ file, ids: file.wholeIds })),
    homeOf: (page) => union.homes[page]!,
    siteIdOf: (name) => numberIn(state.sites, name),
    readsOf: (work = new Work(), isHidden) => readsOf(ask(work, isHidden), work),
  });
  return { facts, file: null, local: files.length === 0 ? null : local, links, answer, close };
}

/** What lacks a shard is not all there is. */
function incomplete<Value>(value: Value): Value {
  const isSaidWhole =
    typeof value === 'object' && value !== null && 'complete' in value && value.complete === true;
  return isSaidWhole ? { ...value, complete: false } : value;
}

/** A problem says in a header which shards it does not know of: it may name the pages nearest to the URL asked for. */
function saidToLack(error: unknown, lost: readonly number[]): unknown {
  if (!(error instanceof Problem) || lost.length === 0) return error;
  const { code, message, errors, nearest, headers } = error;
  const all = { ...headers, [LOST_SHARDS]: lost.join(', ') };
  return new Problem(code, message, {
    ...(errors && { errors }),
    ...(nearest && { nearest }),
    headers: all,
    cause: error,
  });
}
