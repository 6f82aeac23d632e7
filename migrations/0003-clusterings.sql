-- Clusters of copies at several thresholds side by side.

CREATE TABLE clustering (          -- what the clusters of a level join, in a relation whose levels are no hierarchy
  relation_id INTEGER NOT NULL REFERENCES relation,
  level INTEGER NOT NULL,          -- of its clusters; 0 is the one that answers by default
  name TEXT NOT NULL,              -- threshold and measure: 0.9, 0.8c
  measure TEXT NOT NULL CHECK (measure IN ('resemblance', 'containment')),
  threshold REAL NOT NULL,         -- pairs at or above it are in one cluster
  PRIMARY KEY (relation_id, level)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX clustering_name ON clustering (relation_id, name);
