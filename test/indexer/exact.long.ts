/** Stored neighbors against all pages, for other choices of the parts. */
import { testAgreement, testNearest } from './exact.ts';

for (const parts of [{ content: 0.8, title: 0.05, anchor: 0.15 }, { content: 1 }, { anchor: 1 }]) {
  testNearest(parts);
  testAgreement(parts);
}
