import type { ThreadTask } from '../../files/threads/thread-task.ts';
import { workFiles } from '../../files/work-folder.ts';
import { type CollapsedBucket, Collapser, type CollapseStep } from './collapser.ts';

export interface CollapseWork {
  readonly folderPath: string;
  readonly budgetBytes: number;
}

export const task: ThreadTask<CollapseWork, CollapseStep, CollapsedBucket | null> = ({
  folderPath,
  budgetBytes,
}) => {
  const collapser = new Collapser(workFiles(folderPath), budgetBytes);
  return { answer: (step) => collapser.take(step), close: () => collapser.close() };
};
