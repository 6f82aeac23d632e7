import { indexPath, NEAR, testListed, urlOf } from './many-copies.ts';

testListed('one file', indexPath, [urlOf(5), NEAR]);
