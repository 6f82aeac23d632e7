import { parentPort, workerData } from 'node:worker_threads';
import { type Preparation, prepare } from './prepare.ts';
import { workFiles } from './work-folder.ts';

const { folderPath, task } = workerData as { folderPath: string; task: Preparation };

prepare(workFiles(folderPath), task, (step, result) => parentPort!.postMessage({ step, result }));
