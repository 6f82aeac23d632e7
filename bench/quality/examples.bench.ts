/**
 * Measured   P@10 of POST /similar by one, two and three examples of a group; and, for two examples of two groups, the shares of
 *            both in the first ten without counter-examples, with one and with three of the second group, and with the second
 *            example itself.
 * Corpus     the posts of the bench `newsgroups`; 400 questions, groups in turn, posts drawn at random.
 * Notes      A counter-example takes words away; what two groups have in common stays. So other posts of the second group take
 *            little, and the post itself nearly all.
 */
import { join } from 'node:path';
import { Random } from '../../src/lib/random.ts';
import { openIndex } from '../../src/library/index-questions.ts';
import { type BenchResult, round } from '../bench.ts';
import { buildOne } from '../build-one.ts';
import { dataFile, withFolder } from '../corpora/data.ts';
import { cachedJsonl } from '../corpora/jsonl.ts';
import { newsgroupPosts } from '../corpora/newsgroups.ts';

const QUESTIONS = 400;
const FIRST = 10;

export async function run(): Promise<BenchResult> {
  dataFile('20newsgroups/text-train.tar.zst');
  const path = await cachedJsonl('newsgroups', newsgroupPosts);
  return withFolder(async (folder) => {
    const target = join(folder, 'posts.akin');
    await buildOne({ profile: 'akin', parts: 'content', input: { path }, target });
    await using index = await openIndex(target, { preload: true });
    const groups = new Map<string, string[]>();
    for await (const { url } of index.lists({ limit: 1 })) {
      groups.set(groupOf(url), [...(groups.get(groupOf(url)) ?? []), url]);
    }
    const names = [...groups.keys()].sort();
    const random = new Random(7);
    const pick = (group: string) => groups.get(group)![random.below(groups.get(group)!.length)]!;
    const sums = new Map<string, number>();
    const share = async (name: string, group: string, like: string[], unlike: string[] = []) => {
      const asPages = (urls: string[]) => urls.map((url) => ({ url }));
      const examples = { like: asPages(like), ...(unlike.length > 0 && { unlike: asPages(unlike) }) };
      const { related } = await index.similar(examples, { limit: FIRST });
      const count = related.filter(({ url }) => groupOf(url) === group).length;
      sums.set(name, (sums.get(name) ?? 0) + count / FIRST / QUESTIONS);
    };
    for (let i = 0; i < QUESTIONS; i++) {
      const at = i % names.length;
      const own = names[at]!;
      const other = names[(at + 1 + random.below(names.length - 1)) % names.length]!;
      const [examples, others] = [own, other].map((group) => [pick(group), pick(group), pick(group)]);
      for (const count of [1, 2, 3]) await share(`like ${count}`, own, examples!.slice(0, count));
      const like = [examples![0]!, pick(other)];
      const unlikes = { none: [], 1: others!.slice(0, 1), 3: others!, 'the second post itself': [like[1]!] };
      for (const [name, unlike] of Object.entries(unlikes)) {
        await share(`own ${name}`, own, like, unlike);
        await share(`other ${name}`, other, like, unlike);
      }
    }
    const figure = (name: string) => round(sums.get(name)!);
    const left = ['none', '1', '3', 'the second post itself'];
    return {
      corpus: { posts: [...groups.values()].flat().length, questions: QUESTIONS },
      tables: [
        {
          caption: 'Posts like one, two and three of a group',
          columns: ['examples', 'P@10'],
          rows: ['1', '2', '3'].map((count) => [count, figure(`like ${count}`)]),
        },
        {
          caption: 'Posts like two of two groups',
          columns: ['counter-examples', 'share of the first group', 'share of the other group'],
          rows: left.map((name) => [name, figure(`own ${name}`), figure(`other ${name}`)]),
        },
      ],
      targets: [
        {
          figure: 'P@10 by three examples, against one',
          atLeast: figure('like 1'),
          reached: figure('like 3'),
        },
        {
          figure: 'share of the other group that three counter-examples take away',
          atLeast: 0,
          reached: round(figure('other none') - figure('other 3')),
        },
      ],
    };
  });
}

function groupOf(url: string): string {
  return new URL(url).hostname;
}
