-- The copy relation: what a text is compared by. Empty in an index built without copies.

CREATE TABLE version (             -- one distinct text: captures of equal title and text share it
  id INTEGER PRIMARY KEY,          -- dense
  text_digest BLOB NOT NULL UNIQUE, -- first 8 bytes of SHA-256 over title and text
  token_digest BLOB NOT NULL,      -- of the canonical token sequence of the text, 8 bytes
  shingle_digest BLOB NOT NULL,    -- of the whole shingle set, 8 bytes
  token_count INTEGER NOT NULL,
  shingle_count INTEGER NOT NULL,  -- distinct shingles of the whole text
  key_limit INTEGER,               -- every shingle below this key is kept; NULL where all are
  keys BLOB NOT NULL,
  word_simhash BLOB                -- 384 bits; NULL where pairs of one site are not checked by it
) STRICT;

CREATE TABLE version_text (        -- empty where texts are not kept
  version_id INTEGER PRIMARY KEY REFERENCES version,
  text BLOB NOT NULL
) STRICT;

ALTER TABLE capture ADD COLUMN version_id INTEGER REFERENCES version;
CREATE INDEX capture_version ON capture (version_id);

CREATE TABLE shingle_block (       -- the lowest keys of each version again, by key: finds copies of new documents
  first_key INTEGER PRIMARY KEY,
  entries BLOB NOT NULL
) STRICT;

CREATE TABLE template_shingle (    -- shingles of a host's template, which the copy relation leaves out
  host TEXT PRIMARY KEY,
  keys BLOB NOT NULL
) STRICT;
