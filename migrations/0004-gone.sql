-- Pages that a sweep found gone (404, 410) or leading elsewhere, until a later sweep has them again. A page that is
-- merely not in a sweep is none of them: a sweep need not be whole.

CREATE TABLE gone (
  page_id INTEGER PRIMARY KEY REFERENCES page,
  sweep_id INTEGER NOT NULL REFERENCES sweep -- that found it so
) STRICT;
