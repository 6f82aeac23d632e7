/** The thread of a long work; see aside.ts. */
import { parentPort } from 'node:worker_threads';
import { sentError } from '../../errors.ts';
import type { BuildListener } from '../../indexer/files/stage-runner.ts';
import { startThread } from '../../store/sqlite-thread.ts';
import type { AsideNews, AsideSeat } from './aside.ts';
import { LONG_WORK } from './long-work.ts';

const { name, options } = startThread() as AsideSeat;
const send = (news: AsideNews) => parentPort!.postMessage(news);

const listener: BuildListener = {
  stageStarted: (...given) => send({ event: 'stageStarted', given }),
  stageProgress: (...given) => send({ event: 'stageProgress', given }),
  stageEnded: (...given) => send({ event: 'stageEnded', given }),
  fault: (...given) => send({ event: 'fault', given }),
};

try {
  send({ report: await LONG_WORK[name](options as never, listener) });
} catch (error) {
  send({ error: sentError(error) });
}
