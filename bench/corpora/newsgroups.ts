import { unpacked } from './data.ts';
import type { JsonlRecord } from './jsonl.ts';
import { tarFiles } from './tar.ts';

/** Quoted lines and the lines that say whose they are, as scikit-learn's `strip_newsgroup_quoting` has it. */
const QUOTED = /(writes in|writes:|wrote:|says:|said:|^In article|^Quoted from|^\||^>)/;

/** The posts of the training half without headers and quoted lines; the host of a post is its group. */
export async function* newsgroupPosts(): AsyncGenerator<JsonlRecord> {
  for await (const { path, body } of tarFiles(unpacked('20newsgroups/text-train.tar.zst'))) {
    const [group, number] = path.split('/').slice(-2);
    // The archive has tabs for line ends.
    const post = body.toString('latin1').replaceAll('\t', '\n');
    const lines = post.slice(post.indexOf('\n\n') + 2).split('\n');
    const own = lines.filter((line) => !QUOTED.test(line)).join('\n');
    yield { url: `http://${group}.example/${number}`, text: own === '' ? ' ' : own };
  }
}
