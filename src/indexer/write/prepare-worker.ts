import type { ThreadTask } from '../files/threads/thread-task.ts';
import { workFiles } from '../files/work-folder.ts';
import { type Prepared, type PrepareSeat, prepare } from './prepare.ts';

export const task: ThreadTask<PrepareSeat, keyof Prepared, Prepared[keyof Prepared]> = ({
  folderPath,
  task,
}) => ({
  answer: (step) => prepare(workFiles(folderPath), task, step),
});
