/** What the sweeps know of a page, as the HTTP service says it. */
export type State = 'current' | 'not_seen_since' | 'never_read' | 'gone';

export const STATE_TEXTS: Readonly<Record<State, string>> = {
  current: 'not moved: the latest sweep has it',
  not_seen_since: 'not in the latest sweep',
  never_read: 'never read, known by links alone',
  gone: 'gone',
};
