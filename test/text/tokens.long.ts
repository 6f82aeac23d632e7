import { testUnits } from './as-read.ts';
import { testDistinct } from './many-tokens.ts';

testDistinct(1_000_000);
testUnits(() => true);
