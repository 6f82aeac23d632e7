import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sharedTerms } from '../../../src/service/answers/pages/terms.ts';
import { Generation } from '../../../src/service/held/generation.ts';
import { fixtureIndex } from '../fixture-app.ts';
import { GARDEN } from '../fixture-index.ts';

const generation = await Generation.open(await fixtureIndex(), { preload: false });
after(() => generation.retire());

test('a feature is looked up once for all pages of a list', () => {
  const { reader, words } = generation;
  const page = reader.findPage(`${GARDEN}0`);
  const bag = reader.bag(words!.id, page);
  let count = 0;
  const feature = reader.feature.bind(reader);
  Object.assign(reader, {
    feature: (...ids: [number, number]) => {
      count++;
      return feature(...ids);
    },
  });
  const why = sharedTerms(generation, words!, bag);
  const { ids } = reader.neighbors(words!.id, page);
  const common = Array.from(ids, (id) =>
    reader.bag(words!.id, id).features.filter((one) => bag.features.includes(one)),
  );
  const shared = common.reduce((sum, { length }) => sum + length, 0);
  assert.ok(shared > 2 * bag.features.length, `${shared} of ${bag.features.length}`);
  for (const id of ids) assert.ok(why(id).terms!.length > 0);
  assert.ok(count > 0 && count <= bag.features.length, `${count} of ${bag.features.length}`);
});
