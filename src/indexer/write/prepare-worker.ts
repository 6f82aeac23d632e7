import { workerData } from 'node:worker_threads';
import { collectGarbage } from '../files/threads/collect-garbage.ts';
import type { ThreadTask } from '../files/threads/thread-task.ts';
import { workFiles } from '../files/work-folder.ts';
import { type Prepared, type PrepareOrder, type PrepareSeat, prepare } from './prepare.ts';

export const task: ThreadTask<PrepareSeat, PrepareOrder, Prepared[keyof Prepared]> = ({
  folderPath,
  task,
}) => {
  const { close, ...steps } = prepare(workFiles(folderPath), task);
  return {
    answer({ step, levelCount }) {
      const prepared = steps[step](levelCount);
      // The next step holds as much again.
      collectGarbage(workerData as number);
      return prepared;
    },
    close,
  };
};
