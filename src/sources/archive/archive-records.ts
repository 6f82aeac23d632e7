/**
 * What WARC and ARC readers share: one item a record, one fault a stretch that cannot be read, and
 * a fault in place of the record during which the input ended.
 */

import type { StreamReader } from '../bytes/stream-reader.ts';
import { damageFault, faultOf, type Place } from '../record/fault.ts';
import type { CrawlCoverage, Fault, SourceItem } from '../record/record.ts';

export interface ArchiveContext {
  /** Of the file, for messages. */
  readonly name: string;
  readonly maxPageBytes: number;
  /** Takes what the archive says of its crawls. */
  readonly covered: CrawlCoverage[];
}

const NOISE = 'bytes that are no record (a length before them may be too small)';

/**
 * What one record came to: an item, `passed` for records that are no captures, `ended` if the input
 * ended inside it, `noise` if the bytes at hand are no record (they have been read past).
 */
export interface RecordOutcome {
  readonly outcome: SourceItem | 'passed' | 'ended' | 'noise';
  readonly place: Place;
  /** The record does not say where it ends, so that noise after it is part of the same fault. */
  readonly losesTrack?: boolean;
}

/**
 * Reads records until the input ends; `readRecord` gives null at the end or at a gap.
 *
 * A checksum fails, and a wrong length shows, only behind the record: so each item is held back until
 * what follows it is known to be sound.
 */
export async function* archiveItems(
  reader: StreamReader,
  context: ArchiveContext,
  readRecord: (ordinal: number) => Promise<RecordOutcome | null>,
): AsyncGenerator<SourceItem> {
  let ordinal = 1;
  let held: { readonly item: SourceItem; readonly place: Place; readonly endOffset: number } | null = null;
  let noise: Fault | null = null;
  // Noise behind a gap or up to one is the same damage, and one fault.
  let damage: 'none' | 'noise' | 'gap' = 'none';
  for (;;) {
    const record = await readRecord(ordinal);
    if (record?.outcome === 'noise') {
      if (damage === 'none') noise = faultOf('unreadable', record.place, NOISE);
      damage = 'noise';
      continue;
    }
    const hasEnded = record === null || record.outcome === 'ended';
    const gap = hasEnded ? reader.gap : null;
    const spoils = gap?.reason === 'unreadable' && (gap.suspect || (record === null && damage === 'noise'));
    const isHeldSpoilt = held !== null && spoils && held.endOffset > gap.startOffset;
    if (held !== null && !isHeldSpoilt) yield held.item;
    if (noise !== null && !isHeldSpoilt) yield noise;
    if (hasEnded) {
      const isReported =
        record === null && damage === 'noise' && gap?.reason === 'unreadable' && !isHeldSpoilt;
      const place = isHeldSpoilt ? held!.place : (record?.place ?? before(context, ordinal));
      const fault = gapFault(reader, place);
      if (record === null && gap === null) return;
      if (!isReported) yield fault;
    }
    held = null;
    noise = null;
    damage = 'gap';
    if (record !== null) ordinal++;
    if (record === null || record.outcome === 'ended') continue;
    const { outcome, place } = record;
    damage = record.losesTrack ? 'noise' : 'none';
    if (outcome !== 'passed') held = { item: outcome, place, endOffset: reader.offset };
  }
}

function before(context: ArchiveContext, ordinal: number): Place {
  return { where: `${context.name} before record ${ordinal}`, url: null };
}

/** A record that cannot be read and does not say where it ends. */
export function lostRecord(place: Place, detail: string): RecordOutcome {
  return { outcome: faultOf('unreadable', place, detail), place, losesTrack: true };
}

/** Goes on behind the gap, if it is one and not the end. */
function gapFault(reader: StreamReader, place: Place): Fault {
  const gap = reader.gap;
  reader.resume();
  return damageFault(gap?.reason ?? 'truncated', place, gap?.detail ?? 'the archive ends inside this record');
}
