import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sharedTerms } from '../../../src/service/answers/pages/terms.ts';
import { FileReads } from '../../../src/service/reads/file/file-reads.ts';
import { OpenFile } from '../../../src/service/reads/file/open-file.ts';
import { fixtureIndex } from '../fixture-app.ts';
import { GARDEN } from '../fixture-index.ts';

const file = await OpenFile.open(await fixtureIndex(), { preload: false });
after(() => file.close());

/** Notes the features that are looked up. */
class NotingReads extends FileReads {
  readonly features: number[] = [];

  override feature(relationId: number, feature: number) {
    this.features.push(feature);
    return super.feature(relationId, feature);
  }
}

test('a feature is looked up once for all pages of a list', async () => {
  const reads = new NotingReads(file);
  const words = reads.facts.words!;
  const page = await reads.idOf(`${GARDEN}0`);
  const bag = await reads.bag(words.id, page);
  const why = sharedTerms(reads, words, bag);
  const { ids } = await reads.neighbors(words.id, page);
  let shared = 0;
  for (const id of ids) {
    const other = await reads.bag(words.id, id);
    shared += other.features.filter((one) => bag.features.includes(one)).length;
    assert.ok((await why(other)).terms!.length > 0);
  }
  assert.ok(shared > 2 * bag.features.length, `${shared} of ${bag.features.length}`);
  assert.ok(reads.features.length > 0);
  assert.equal(new Set(reads.features).size, reads.features.length);
});
