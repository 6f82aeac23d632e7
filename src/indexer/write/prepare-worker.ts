import { serveThread } from '../files/thread.ts';
import { workFiles } from '../files/work-folder.ts';
import { type Prepared, type PrepareSeat, prepare } from './prepare.ts';

serveThread(
  ({ folderPath, task }: PrepareSeat) =>
    (step: keyof Prepared) =>
      prepare(workFiles(folderPath), task, step),
);
