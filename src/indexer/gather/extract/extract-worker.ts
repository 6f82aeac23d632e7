import type { ThreadTask } from '../../files/threads/thread-task.ts';
import type { ExtractResult, ExtractSettings, ExtractTask } from './extract-task.ts';
import { Extractor } from './extractor.ts';

export const task: ThreadTask<ExtractSettings, ExtractTask, ExtractResult> = (settings) => {
  const extractor = new Extractor(settings);
  return {
    answer: (task) => extractor.extract(task),
    transferListOf: ({ records, forms, linkUrls }) => [
      records.bytes.buffer,
      forms.bytes.buffer,
      linkUrls.bytes.buffer,
    ],
    close: () => extractor.close(),
  };
};
