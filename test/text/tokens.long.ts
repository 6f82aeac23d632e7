import { testDistinct } from './many-tokens.ts';

testDistinct(1_000_000);
