/**
 * What WARC and ARC readers share: one item a record, one fault a stretch that cannot be read, and
 * a fault in place of the record during which the input ended.
 */

import type { ByteReader } from './byte-reader.ts';
import { faultOf, type Place } from './fault.ts';
import type { Fault, SourceItem } from './record.ts';

export interface ArchiveContext {
  /** Of the file, for messages. */
  readonly name: string;
  readonly maxPageBytes: number;
}

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

/** Reads records until the input ends; `readRecord` gives null at the end or at a gap. */
export async function* archiveItems(
  reader: ByteReader,
  context: ArchiveContext,
  readRecord: (ordinal: number) => Promise<RecordOutcome | null>,
): AsyncGenerator<SourceItem> {
  let ordinal = 1;
  let isLost = false;
  for (;;) {
    const record = await readRecord(ordinal);
    if (record === null) {
      if (reader.gap === null) return;
      yield gapFault(reader, { where: `${context.name} before record ${ordinal}`, url: null });
      continue;
    }
    const { outcome, place } = record;
    if (outcome === 'noise') {
      if (!isLost)
        yield faultOf(
          'unreadable',
          place,
          'bytes that are no record (a length before them may be too small)',
        );
      isLost = true;
      continue;
    }
    isLost = record.losesTrack ?? false;
    ordinal++;
    if (outcome === 'ended') {
      yield gapFault(reader, place);
    } else if (outcome !== 'passed') {
      // A checksum that fails comes after the last byte: look before the record is believed.
      await reader.peek(1);
      yield reader.gap?.suspect ? gapFault(reader, place) : outcome;
    }
  }
}

/** A record that cannot be read and does not say where it ends. */
export function lostRecord(place: Place, detail: string): RecordOutcome {
  return { outcome: faultOf('unreadable', place, detail), place, losesTrack: true };
}

/** Goes on behind the gap, if it is one and not the end. */
function gapFault(reader: ByteReader, place: Place): Fault {
  const gap = reader.gap;
  reader.resume();
  return faultOf(gap?.reason ?? 'truncated', place, gap?.detail ?? 'the archive ends inside this record');
}
