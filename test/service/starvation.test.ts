/** No list starves, in a few questions by chance; starvation.long.ts asks many. */
import { testLists } from './starvation.ts';

testLists(5);
