import { serveThread } from '../../files/thread.ts';
import { extractCaptures } from './extract-captures.ts';
import type { ExtractResult, ExtractSettings, ExtractTask } from './extract-task.ts';
import { RecordOutbox } from './record-outbox.ts';
import { StoredIndexes } from './stored-index.ts';

/** Turns a batch of captures into records. The records depend on the batch alone. */
serveThread(
  (settings: ExtractSettings) => {
    const outbox = new RecordOutbox(settings);
    const indexes = new StoredIndexes(settings, outbox);
    return (task: ExtractTask): ExtractResult => {
      const outcomes = task.what === 'captures' ? extractCaptures(task, outbox) : indexes.read(task);
      return { isStored: task.what !== 'captures', outcomes, ...outbox.take() };
    };
  },
  // Handed over, not copied.
  ({ records, forms, linkUrls }) => [records.bytes.buffer, forms.bytes.buffer, linkUrls.bytes.buffer],
);
