import { parentPort, workerData } from 'node:worker_threads';
import { workFiles } from '../files/work-folder.ts';
import { type Preparation, prepare } from './prepare.ts';

const { folderPath, task } = workerData as { folderPath: string; task: Preparation };

prepare(workFiles(folderPath), task, (step, result) => parentPort!.postMessage({ step, result }));
