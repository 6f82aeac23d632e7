/** Stored neighbours against all pages, for every choice of the bag. */
import { BAG_CHOICES } from '../../src/indexer/options/build-options.ts';
import { testAgreement, testNearest } from './exact.ts';

for (const bag of BAG_CHOICES) {
  testNearest(bag);
  testAgreement(bag);
}
