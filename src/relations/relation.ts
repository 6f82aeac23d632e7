/**
 * What `by=` chooses. Code asks what a relation is, never what it is called: where there is more than one way, a table
 * has one method for each value below. A relation is declared once, in the file of its name.
 */
export type Relation = StoredRelation | LinkRelation;

interface Named {
  readonly name: string;
  /** What people choose it by: related by ... */
  readonly plainName: string;
  /** What its figure of similarity is, in the words of the API. */
  readonly similarity: string;
}

/** A relation that a build prepares, with a row in the index. */
export interface StoredRelation extends Named {
  /** Of its row in an index. */
  readonly id: number;
  /** What a page is described by. Words can be shown as terms; shingles cannot. */
  readonly features: 'words' | 'shingles' | 'own' | 'vectors';
  /**
   * How the pages nearest to one are found: weighted Jaccard of stored bags, the shingles that texts share, the features
   * that both have from their owner, or their vectors.
   */
  readonly neighbors: 'nearest bags' | 'shared shingles' | 'own features' | 'nearest vectors';
  /**
   * Levels of clusters that nest, each of all pages; clusterings beside each other, each known by its name; one level of
   * the components of all pairs; or none.
   */
  readonly clusters: 'hierarchy' | 'clusterings' | 'components' | 'none';
}

/** A relation that is answered live from the links between the pages of an index: nothing of it is stored. */
export interface LinkRelation extends Named {
  readonly features: 'links';
  /** How the pages nearest to one are found: by the pages that link to both, by those both link to, or around it. */
  readonly neighbors: 'shared citers' | 'shared targets' | 'vicinity graph';
  readonly clusters: 'none';
}
