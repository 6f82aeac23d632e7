import { answerFromFile } from '../threads/file-order.ts';
import { loadParts } from './snapshot-parts.ts';

answerFromFile(
  (reader) => loadParts(reader, reader.card().relations, Number.POSITIVE_INFINITY),
  ({ pieces }) => pieces,
);
