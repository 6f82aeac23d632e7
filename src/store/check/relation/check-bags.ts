import type { Checked } from './checked.ts';

/** Bags are ascending, weigh something, and sum to what is stored. */
export function checkBags({ reader, relation, faults }: Checked): void {
  const sums = reader.bagSums(relation.id);
  const seen = new Uint8Array(reader.pageCount);
  for (const { pageId, bag } of reader.allBags(relation.id)) {
    seen[pageId] = 1;
    for (let i = 0; i < bag.features.length; i++) {
      if (bag.weights[i] === 0) faults.push(`page ${pageId} has a feature of weight 0`);
      if (i > 0 && bag.features[i]! <= bag.features[i - 1]!)
        faults.push(`the bag of page ${pageId} is not ascending`);
    }
    if (bag.sum !== sums[pageId])
      faults.push(`the bag of page ${pageId} sums to ${bag.sum}, but ${sums[pageId]} is stored`);
  }
  for (let page = 0; page < seen.length; page++) {
    const isWanted = page < reader.ownPageCount;
    if (isWanted !== (seen[page] === 1)) faults.push(`page ${page} has ${isWanted ? 'no' : 'a'} bag`);
  }
}

/** The postings are the bags turned round: entry by entry the same sums, checked by an order-free checksum. */
export function checkPostings({ reader, relation, faults }: Checked, blockPages: number): void {
  const fromBags = new Float64Array(2);
  for (const { pageId, bag } of reader.allBags(relation.id)) {
    for (let i = 0; i < bag.features.length; i++) count(fromBags, bag.features[i]!, pageId, bag.weights[i]!);
  }
  const fromPostings = new Float64Array(2);
  const lengths: number[] = [];
  const { file } = reader;
  const posted = 'SELECT DISTINCT feature_id FROM posting WHERE relation_id = ?';
  for (const feature of file.values<number>(posted, relation.id)) {
    for (const [block, list] of reader.postings(relation.id, feature)) {
      lengths[feature] = (lengths[feature] ?? 0) + list.length;
      let previous = -1;
      for (const entry of list) {
        const local = entry & 0xffffff;
        if (local <= previous) faults.push(`the posting list of feature ${feature} is not ascending`);
        previous = local;
        count(fromPostings, feature, block * blockPages + local, entry >>> 24);
      }
    }
  }
  const frequencies = 'SELECT id, page_count FROM feature WHERE relation_id = ?';
  for (const [id, n] of file.tuples<[id: number, n: number]>(frequencies, relation.id)) {
    if ((lengths[id] ?? 0) > n) faults.push(`feature ${id} is in ${lengths[id]} bags, but counts ${n} pages`);
  }
  if (fromBags[0] !== fromPostings[0] || fromBags[1] !== fromPostings[1]) {
    faults.push(`the entries of postings (${fromPostings[0]}) and of bags (${fromBags[0]}) differ`);
  }
}

function count(into: Float64Array, feature: number, page: number, weight: number): void {
  into[0]!++;
  const mixed = Math.imul(Math.imul(feature ^ 0x9e3779b1, 0x85ebca6b) ^ page, 0xc2b2ae35) >>> 8;
  into[1] = (into[1]! + mixed * weight) % 2 ** 52;
}
