/** Appends judgements, some at once, until it is killed or one is refused; a line on standard output for each that is on the disk. */
import { writeSync } from 'node:fs';
import { FeedbackLog } from '../../src/store/feedback-log.ts';

const [path, atOnce] = process.argv.slice(2);
const log = await FeedbackLog.open(path!, 2 ** 30);
for (let rank = 1, isFull = false; !isFull; ) {
  const ranks = Array.from({ length: Number(atOnce) }, () => rank++);
  const append = async (one: number) => {
    const isKept = await log.append({
      at: '2026-01-02T03:04:05.000Z',
      generation: 'g',
      by: 'topic',
      url: 'https://a.example/',
      related_url: `https://a.example/${one}`,
      judgement: 'better',
      rank: one,
    });
    if (isKept) writeSync(1, `${one}\n`);
    else isFull = true;
  };
  await Promise.all(ranks.map(append));
}
