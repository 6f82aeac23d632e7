/** Appends judgements until it is killed or one is refused; a line on standard output for each that is on the disk. */
import { writeSync } from 'node:fs';
import { FeedbackLog } from '../../src/store/feedback-log.ts';

const log = await FeedbackLog.open(process.argv[2]!, 2 ** 30);
for (let rank = 1; ; rank++) {
  const isKept = await log.append({
    at: '2026-01-02T03:04:05.000Z',
    generation: 'g',
    by: 'topic',
    url: 'https://a.example/',
    related_url: `https://a.example/${rank}`,
    judgement: 'better',
    rank,
  });
  if (!isKept) break;
  writeSync(1, `${rank}\n`);
}
