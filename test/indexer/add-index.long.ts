/** Additions under the options that add-index.test.ts leaves out. */
import { testAddition } from './sweeps.ts';

testAddition({ bag: 'content' });
testAddition({ keepText: false });
testAddition({ copies: false });
testAddition({ pairSimilarity: 0.15 });
