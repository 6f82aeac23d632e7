/**
 * What a crawl keeps on disk, in a file of its own beside its archives. One of another version is refused.
 *
 *   host     one row a host: how much is queued, whose turn it is, when it may be fetched from next
 *   seen     fingerprints of all URLs ever queued, by host, so that the pages a running crawl touches stay in memory
 *   queue    what is still to fetch, in the order of fetching within a host
 *   page     what was fetched last of each URL: validators for the next sweep, digests for revisit records
 *   left_over  URLs of pages that a sweep knew of and did not fetch whole: the next one asks for them again
 */
export const FRONTIER_VERSION = 3;

/** "akcr" in ASCII. */
export const FRONTIER_APPLICATION_ID = 0x616b6372;

export const SCHEMA = `
CREATE TABLE state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  json TEXT NOT NULL
) STRICT;

CREATE TABLE host (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  queued INTEGER NOT NULL DEFAULT 0,
  best INTEGER NOT NULL DEFAULT 99,
  turn INTEGER NOT NULL DEFAULT 0,
  is_active INTEGER NOT NULL DEFAULT 0,
  next_at_ms INTEGER NOT NULL DEFAULT 0,
  fetched INTEGER NOT NULL DEFAULT 0,
  retired TEXT,
  is_partial INTEGER NOT NULL DEFAULT 0 -- one of PARTIAL, or some
) STRICT;

CREATE INDEX host_waiting ON host (best, turn) WHERE queued > 0 AND is_active = 0;

CREATE TABLE seen (
  host_id INTEGER NOT NULL,
  fingerprint INTEGER NOT NULL,
  PRIMARY KEY (host_id, fingerprint)
) STRICT, WITHOUT ROWID;

CREATE TABLE queue (
  host_id INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  url TEXT NOT NULL,
  kind TEXT NOT NULL,
  depth INTEGER NOT NULL,
  redirects INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  PRIMARY KEY (host_id, priority, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE page (
  host_id INTEGER NOT NULL,
  fingerprint INTEGER NOT NULL,
  url TEXT NOT NULL,
  fetched_at_ms INTEGER NOT NULL,
  etag TEXT,
  last_modified TEXT,
  digest BLOB NOT NULL,
  depth INTEGER NOT NULL,
  visits INTEGER NOT NULL,
  changes INTEGER NOT NULL,
  first_at_ms INTEGER NOT NULL,
  PRIMARY KEY (host_id, fingerprint)
) STRICT, WITHOUT ROWID;

CREATE INDEX page_digest ON page (host_id, digest);

CREATE TABLE left_over (
  place INTEGER PRIMARY KEY,
  url TEXT NOT NULL,
  depth INTEGER NOT NULL,
  redirects INTEGER NOT NULL
) STRICT;

CREATE TABLE query_count (
  host_id INTEGER NOT NULL,
  path_fingerprint INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (host_id, path_fingerprint)
) STRICT, WITHOUT ROWID;

CREATE TABLE branch_stop (
  host_id INTEGER NOT NULL,
  branch TEXT NOT NULL,
  PRIMARY KEY (host_id, branch)
) STRICT, WITHOUT ROWID;
`;
