import { answerAside } from './aside.ts';
import { loadParts } from './snapshot-parts.ts';

await answerAside(
  (reader) => loadParts(reader, reader.card().relations, Number.POSITIVE_INFINITY),
  ({ pieces }) => pieces,
);
