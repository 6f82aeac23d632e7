/** A page that waits for a fold, as it is made once and passed on to every thread that answers. */
export interface PendingPage {
  /** Canonical. */
  readonly url: string;
  /** Its id in the index; -1 where that has no page of this URL. */
  readonly pageId: number;
  /** Of its record. */
  readonly fetchedAtMs: number;
  /** What it says, see `PageSaid`, in memory that threads share; null for a page that is gone. */
  readonly said: SharedArrayBuffer | null;
}
