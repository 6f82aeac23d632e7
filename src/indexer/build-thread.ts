/** The thread of a build; see build-aside.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { sentError } from '../errors.ts';
import { loadSqlite } from '../store/database.ts';
import type { BuildNews, BuildSeat } from './build-aside.ts';
import { buildIndex } from './build-index.ts';
import type { BuildListener } from './files/stage-runner.ts';

const { options, hasStarted } = workerData as BuildSeat;
loadSqlite();
Atomics.store(hasStarted, 0, 1);
Atomics.notify(hasStarted, 0);

const send = (news: BuildNews) => parentPort!.postMessage(news);

const listener: BuildListener = {
  stageStarted: (...given) => send({ event: 'stageStarted', given }),
  stageProgress: (...given) => send({ event: 'stageProgress', given }),
  stageEnded: (...given) => send({ event: 'stageEnded', given }),
  fault: (...given) => send({ event: 'fault', given }),
};

try {
  send({ report: await buildIndex(options, listener) });
} catch (error) {
  send({ error: sentError(error) });
}
