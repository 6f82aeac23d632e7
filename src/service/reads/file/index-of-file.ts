import { andThen } from '../../../lib/or-later.ts';
import { FileReads } from './file-reads.ts';
import { LocalIndex } from './local-index.ts';
import type { OpenFile } from './open-file.ts';
import type { OpenIndex } from './open-index.ts';
import { OWN_IDS } from './page-ids.ts';

export function indexOfFile(file: OpenFile): OpenIndex {
  const { record, facts, found, links } = file;
  return {
    facts,
    file,
    local: new LocalIndex({
      record,
      facts,
      found,
      files: [{ file, ids: OWN_IDS }],
      homeOf: () => 0,
      siteIdOf: (_name, id) => id,
      readsOf: (work, isHidden) => new FileReads(file, work, OWN_IDS, isHidden),
    }),
    links,
    answer: (make, work) => andThen(make(new FileReads(file, work)), whole),
    close: () => file.close(),
  };
}

const whole = <Value>(value: Value) => ({ value, lost: [] });
