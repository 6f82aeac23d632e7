-- One file is one index. Columns that end in _ms hold times and are the only ones that may differ
-- between two builds of the same pages. Blob layouts: docs/formats/index-file.md. Whoever changes a table or a blob
-- raises FORMAT_VERSION in src/store/database.ts.

CREATE TABLE generation (
  id TEXT PRIMARY KEY,             -- digest over every row of the index, times left out
  built_at_ms INTEGER NOT NULL,
  akin_version TEXT NOT NULL,
  algorithm_version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE parameter (           -- all that shapes features, sketches and relations
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL              -- JSON
) STRICT;

CREATE TABLE sweep (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  record_count INTEGER NOT NULL,   -- captures met, the skipped ones included
  started_at_ms INTEGER NOT NULL,
  covered TEXT NOT NULL            -- JSON {sites, hosts}: the sites whose whole state the sweep is, the hosts that a crawl
                                   -- left nothing out of; both empty where it says nothing of pages that it did not meet
) STRICT;

CREATE TABLE skip (
  sweep_id INTEGER NOT NULL REFERENCES sweep,
  reason TEXT NOT NULL,
  extension TEXT NOT NULL,         -- of files of a folder that are no pages: '.md'; '' for all else
  record_count INTEGER NOT NULL,
  PRIMARY KEY (sweep_id, reason, extension)
) STRICT, WITHOUT ROWID;

CREATE TABLE site (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE        -- registrable domain, or the host where there is none
) STRICT;

CREATE TABLE page (
  id INTEGER PRIMARY KEY,          -- 0..n-1 in the order of url (byte order)
  url TEXT NOT NULL,               -- found by the order of ids: an index of URLs takes as many bytes as they do
  site_id INTEGER NOT NULL REFERENCES site,
  title TEXT NOT NULL,             -- to show; of an unfetched page: its most frequent anchor text
  full_title TEXT,                 -- as the page gives it, where what all titles of its host share was cut from it
  lang TEXT,
  fetched INTEGER NOT NULL,        -- 0: known by links alone
  sweep_id INTEGER REFERENCES sweep, -- whose capture speaks for the page, or did last where it is gone; NULL: unread
  word_count INTEGER NOT NULL,     -- words of the text, stop words included
  in_link_count INTEGER NOT NULL,  -- pages of the index that link to it, itself left out
  out_link_count INTEGER NOT NULL  -- distinct targets, itself left out
) STRICT;

-- Pages of one of several index files that are served as one: the parameter "shard" says which of them, and how many of
-- its pages are its own. These stand first; behind them stand pages of other shards that its lists, clusters and aliases
-- name: URL, title, site, language, and no more. In such a file the targets of `link` are whole ids. Empty in any other.
CREATE TABLE shard_page (
  page_id INTEGER PRIMARY KEY REFERENCES page,
  whole_id INTEGER NOT NULL UNIQUE -- 0..n-1 in the order of url over the pages of all shards
) STRICT;

CREATE TABLE card (                -- what a page says of itself for others to show; a row where it says something
  page_id INTEGER PRIMARY KEY REFERENCES page,
  image TEXT,                      -- absolute http(s) URL
  description TEXT,                -- at most 300 characters
  published_at TEXT,               -- 2024-05-01, or 2024-05-01T10:00:00Z
  modified_at TEXT,
  site_name TEXT
) STRICT;

-- What the owner of pages gives beside their texts, to show and to narrow lists by.

CREATE TABLE page_field (          -- a row where a page has any
  page_id INTEGER PRIMARY KEY REFERENCES page,
  fields TEXT NOT NULL             -- JSON object of scalars and lists of scalars, names in order
) STRICT;

CREATE TABLE field (               -- names met: those that were declared, then the first 1,000 others
  id INTEGER PRIMARY KEY,          -- dense
  name TEXT NOT NULL UNIQUE,
  kind TEXT CHECK (kind IN ('any', 'number', 'date')), -- as declared; NULL of others
  page_count INTEGER NOT NULL
) STRICT;

CREATE TABLE field_value (         -- which pages have a value of a field that was declared
  field_id INTEGER NOT NULL REFERENCES field,
  value ANY NOT NULL,              -- number; text; date as 8 bytes that are in its order
  block_id INTEGER NOT NULL,       -- page id / 16384
  pages BLOB NOT NULL,             -- ascending, each as its distance from the first page of the block
  PRIMARY KEY (field_id, value, block_id)
) STRICT, WITHOUT ROWID;

-- The search: words of titles and texts of the pages that are there; empty in an index without search.

CREATE TABLE search_total (        -- one row
  page_count INTEGER NOT NULL,     -- pages that are searched
  word_count INTEGER NOT NULL      -- words of their titles and texts
) STRICT;

CREATE TABLE search_page (         -- of the pages of a block, up to the last that is searched; 0 of one that is not
  block_id INTEGER PRIMARY KEY,    -- page id / 65536
  lengths BLOB NOT NULL,           -- words of title and text, 65535 at most
  sites BLOB NOT NULL,             -- site id
  langs BLOB NOT NULL              -- row of search_lang, 0 where the page names no language
) STRICT;

CREATE TABLE search_lang (
  id INTEGER PRIMARY KEY,          -- 1, 2 and so on
  lang TEXT NOT NULL
) STRICT;

CREATE TABLE search_word (         -- the dictionary in blocks, words in the order of UTF-16 units
  block_id INTEGER PRIMARY KEY,    -- dense
  first_word TEXT NOT NULL,
  posting_id INTEGER NOT NULL REFERENCES search_posting,
  posting_start INTEGER NOT NULL,  -- byte at which the postings of its words begin
  words BLOB NOT NULL
) STRICT;

CREATE TABLE search_posting (      -- of the words of some blocks: the pages that have each, and where
  id INTEGER PRIMARY KEY,          -- dense
  postings BLOB NOT NULL
) STRICT;

CREATE TABLE search_part (         -- the same of words on many pages, part by part
  id INTEGER PRIMARY KEY,          -- dense
  pages BLOB NOT NULL,
  positions BLOB NOT NULL
) STRICT;

CREATE TABLE encoding (            -- what bodies are: as many rows as there are kinds
  id INTEGER PRIMARY KEY,          -- dense, in the order they are met
  media_type TEXT NOT NULL,
  charset TEXT NOT NULL            -- the one a body was decoded with
) STRICT;

CREATE TABLE capture (
  page_id INTEGER NOT NULL REFERENCES page,
  sweep_id INTEGER NOT NULL REFERENCES sweep,
  fetched_at_ms INTEGER NOT NULL,
  encoding_id INTEGER NOT NULL REFERENCES encoding,
  body_bytes INTEGER NOT NULL,
  text_digest BLOB NOT NULL,       -- first 8 bytes of SHA-256 over title and text
  version_id INTEGER REFERENCES version, -- NULL in an index without copies
  PRIMARY KEY (page_id, sweep_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX capture_version ON capture (version_id);

CREATE TABLE named_capture (       -- a past capture that named another URL as canonical: it stands where its own URL leads
  page_id INTEGER NOT NULL REFERENCES page,
  sweep_id INTEGER NOT NULL REFERENCES sweep,
  own_url TEXT NOT NULL,
  PRIMARY KEY (page_id, sweep_id)
) STRICT, WITHOUT ROWID;

-- A page that a sweep found gone (404, 410) or leading elsewhere, until a later sweep has it again. A page that is
-- merely not in a sweep is not gone: a sweep need not be whole.
CREATE TABLE gone (
  page_id INTEGER PRIMARY KEY REFERENCES page,
  sweep_id INTEGER NOT NULL REFERENCES sweep -- that found it so
) STRICT;

CREATE TABLE alias (
  url TEXT PRIMARY KEY,
  page_id INTEGER NOT NULL REFERENCES page,
  kind TEXT NOT NULL CHECK (kind IN ('redirect', 'canonical'))
) STRICT, WITHOUT ROWID;
CREATE INDEX alias_page ON alias (page_id);

CREATE TABLE link (                -- out-links of a page that lie in the index
  page_id INTEGER PRIMARY KEY REFERENCES page,
  targets BLOB NOT NULL
) STRICT;

-- What the stages before weighing ask of a page again, so that an index is an input like any other. The text of a page
-- stands in version_text, or where texts are not kept its word counts stand here.

CREATE TABLE page_input (          -- of each page that is there: canonical URL, links with their places, word counts
  block_id INTEGER PRIMARY KEY,    -- page id / 40
  records BLOB NOT NULL            -- of the pages of the block up to the last that is there; empty of one that is not
) STRICT;

CREATE TABLE other_input (         -- the last answer of each URL that was asked for and has no page of its own
  id INTEGER PRIMARY KEY,          -- dense, in the order of url
  url TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('page', 'redirect', 'gone', 'noindex')), -- page: another URL speaks for it
  sweep_id INTEGER NOT NULL REFERENCES sweep,
  fetched_at_ms INTEGER NOT NULL,
  record BLOB NOT NULL             -- page: the capture with its text; redirect: where to; else empty
) STRICT;

CREATE TABLE link_url (            -- URLs that links lead to and that are no page, in blocks, in order
  first_id INTEGER PRIMARY KEY,
  urls BLOB NOT NULL
) STRICT;

CREATE TABLE relation (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,              -- topic, copy, own-features, meaning
  profile TEXT NOT NULL,           -- named parameters; of meaning the name of the vectors
  measure TEXT NOT NULL CHECK (measure IN ('exact', 'estimate')),
  neighbor_limit INTEGER NOT NULL,
  floor REAL NOT NULL,
  rank TEXT NOT NULL CHECK (rank IN ('votes', 'similarity')), -- order of its neighbor lists
  kernel TEXT CHECK (kernel IN ('jaccard', 'bm25')), -- what near is to votes; NULL where rank is similarity
  UNIQUE (name, profile)
) STRICT;

CREATE TABLE part (
  relation_id INTEGER NOT NULL REFERENCES relation,
  name TEXT NOT NULL,              -- content, title, anchor, out, in, or a group of own features
  page_count INTEGER NOT NULL,     -- pages with at least one feature in it: the N of its idf
  PRIMARY KEY (relation_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE feature (
  relation_id INTEGER NOT NULL REFERENCES relation,
  id INTEGER PRIMARY KEY,          -- dense, rarest first; one relation has features
  part TEXT NOT NULL,              -- place among content, title, heading, bigram, anchor, out and in, from 0; or name of a group
  stem TEXT NOT NULL,              -- of out and in: the id of a page; of own features the name
  term TEXT NOT NULL,              -- the form to show a person: the stem's most frequent word; empty for out and in
  page_count INTEGER NOT NULL      -- document frequency
) STRICT;
CREATE UNIQUE INDEX feature_stem ON feature (part, stem);

-- Rows of large tables with a key of several numbers have it as one: rows with a key of columns, written in its order,
-- fill nine tenths of the pages of the file.

CREATE TABLE bag (
  id INTEGER PRIMARY KEY,          -- 2^32 relation_id + page_id
  relation_id INTEGER NOT NULL AS (id >> 32) REFERENCES relation,
  page_id INTEGER NOT NULL AS (id & 0xffffffff) REFERENCES page,
  entries BLOB NOT NULL
) STRICT;

CREATE TABLE signature (
  id INTEGER PRIMARY KEY,          -- 2^32 relation_id + page_id
  relation_id INTEGER NOT NULL AS (id >> 32) REFERENCES relation,
  page_id INTEGER NOT NULL AS (id & 0xffffffff) REFERENCES page,
  minima BLOB NOT NULL
) STRICT;

CREATE TABLE bag_sum (             -- the sum of every bag, by block: what turns an overlap into a similarity
  relation_id INTEGER NOT NULL REFERENCES relation,
  block_id INTEGER NOT NULL,
  sums BLOB NOT NULL,
  PRIMARY KEY (relation_id, block_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE posting (             -- the bags again, by feature: finds neighbors of new documents
  id INTEGER PRIMARY KEY,          -- 2^44 relation_id + 4096 feature_id + block_id
  relation_id INTEGER NOT NULL AS (id >> 44) REFERENCES relation,
  block_id INTEGER NOT NULL AS (id & 4095), -- page id / 262144
  feature_id INTEGER NOT NULL AS (id >> 12 & 0xffffffff),
  entries BLOB NOT NULL
) STRICT;

CREATE TABLE vector_block (        -- the vectors that owners give, those of one name for each relation by them
  relation_id INTEGER NOT NULL REFERENCES relation,
  block_id INTEGER NOT NULL,       -- page id / 256
  pages BLOB NOT NULL,             -- those of the block that have a vector
  vectors BLOB NOT NULL,           -- of each a byte a component
  PRIMARY KEY (relation_id, block_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE neighbor (            -- similar pairs of a page in the order of the relation's rank, at most neighbor_limit
  id INTEGER PRIMARY KEY,          -- 2^32 relation_id + page_id
  relation_id INTEGER NOT NULL AS (id >> 32) REFERENCES relation,
  page_id INTEGER NOT NULL AS (id & 0xffffffff) REFERENCES page,
  entries BLOB NOT NULL
) STRICT;

CREATE TABLE clustering (          -- what the clusters of a level join, in a relation whose levels are no hierarchy
  relation_id INTEGER NOT NULL REFERENCES relation,
  level INTEGER NOT NULL,          -- of its clusters; 0 is the one that answers by default
  name TEXT NOT NULL,              -- threshold and measure: 0.9, 0.8c
  measure TEXT NOT NULL CHECK (measure IN ('resemblance', 'containment')),
  threshold REAL NOT NULL,         -- pairs at or above it are in one cluster
  PRIMARY KEY (relation_id, level)
) STRICT, WITHOUT ROWID;

CREATE TABLE cluster (
  id INTEGER PRIMARY KEY,
  relation_id INTEGER NOT NULL REFERENCES relation,
  level INTEGER NOT NULL,          -- 0 is the finest
  key TEXT NOT NULL UNIQUE,        -- public id: survives a rebuild as long as the center does
  center_id INTEGER NOT NULL REFERENCES page,
  parent_id INTEGER REFERENCES cluster,
  size INTEGER NOT NULL,
  radius REAL NOT NULL,            -- least similarity of a member to the center; 1 where alone
  label TEXT NOT NULL              -- terms joined by ", "
) STRICT;
CREATE INDEX cluster_size ON cluster (relation_id, level, size DESC, id);
CREATE INDEX cluster_parent ON cluster (parent_id, size DESC, id) WHERE parent_id IS NOT NULL;
CREATE INDEX cluster_label ON cluster (relation_id, level, label, id);

CREATE TABLE member (
  cluster_id INTEGER NOT NULL REFERENCES cluster,
  page_id INTEGER NOT NULL REFERENCES page,
  similarity REAL NOT NULL,        -- to the center; 1 for the center itself
  PRIMARY KEY (cluster_id, page_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX member_page ON member (page_id, cluster_id);

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

CREATE TABLE version_text (        -- title and text of versions, in blocks; empty where texts are not kept
  first_version_id INTEGER PRIMARY KEY REFERENCES version, -- the others of the block follow it
  texts BLOB NOT NULL
) STRICT;

CREATE TABLE shingle_block (       -- which versions have a key, ascending by key: of each version the keys = 0 mod 25,
                                   -- and its 64 lowest at least; finds copies
  first_key INTEGER PRIMARY KEY,
  entries BLOB NOT NULL
) STRICT;

CREATE TABLE template_shingle (    -- shingles of a host's template: a copy reaches the threshold with and without them
  host TEXT PRIMARY KEY,
  keys BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE stage (               -- as in Table 1 of Haveliwala, Gionis, Indyk
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  record_count INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  processor_ms INTEGER NOT NULL    -- of all threads
) STRICT;

CREATE TABLE table_digest (
  name TEXT PRIMARY KEY,
  row_count INTEGER NOT NULL,
  sum BLOB NOT NULL                -- of a 64-bit hash of each row, times left out
) STRICT, WITHOUT ROWID;
