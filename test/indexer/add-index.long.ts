/** Additions under the options that add-index.test.ts leaves out. */
import { PRINTED } from './build.ts';
import { testAddition } from './sweeps.ts';

testAddition(PRINTED);
testAddition({});
testAddition({ parts: { content: 1 } });
testAddition({ keepText: false });
testAddition({ copies: false });
testAddition({ pairSimilarity: 0.15 });
