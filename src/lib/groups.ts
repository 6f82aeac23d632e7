/**
 * Numbers by group: a counting sort.
 *
 *   groupOf   2 0 2 NONE 0        number 0 is of group 2, number 3 of none
 *   starts    0 2 2 4             where each group starts; the last is the number of members
 *   members   1 4 | | 0 2         ascending in each group
 *
 * Cost    two passes; 4 bytes a member, 8 a group while it runs and 4 after.
 * Source  Knuth, TAOCP 3, 5.2 (distribution counting).
 */
import { NONE } from './columns/indexes.ts';

/** Members of group g: members[starts[g]] .. members[starts[g + 1] - 1]; one start more than there are groups. */
export interface Groups {
  readonly starts: Uint32Array;
  readonly members: Uint32Array;
}

/** Shape  groupOf Uint32Array(n): the group of each number, below `groupCount`, or NONE. Members ascend in each group. */
export function groupBy(groupOf: Uint32Array, groupCount: number): Groups {
  const starts = new Uint32Array(groupCount + 1);
  for (let i = 0; i < groupOf.length; i++) if (groupOf[i] !== NONE) starts[groupOf[i]! + 1]!++;
  for (let group = 0; group < groupCount; group++) starts[group + 1]! += starts[group]!;
  const next = starts.slice(0, groupCount);
  const members = new Uint32Array(starts[groupCount]!);
  for (let i = 0; i < groupOf.length; i++) if (groupOf[i] !== NONE) members[next[groupOf[i]!]!++] = i;
  return { starts, members };
}

/** The members of one group, sharing their memory. */
export function membersOf({ starts, members }: Groups, group: number): Uint32Array {
  return members.subarray(starts[group]!, starts[group + 1]!);
}
