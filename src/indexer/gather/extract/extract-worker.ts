import { serveThread } from '../../files/thread.ts';
import type { ExtractResult, ExtractSettings, ExtractTask } from './extract-task.ts';
import { Extractor } from './extractor.ts';

serveThread(
  (settings: ExtractSettings) => {
    const extractor = new Extractor(settings);
    return (task: ExtractTask): ExtractResult => extractor.extract(task);
  },
  // Handed over, not copied.
  ({ records, forms, linkUrls }) => [records.bytes.buffer, forms.bytes.buffer, linkUrls.bytes.buffer],
);
