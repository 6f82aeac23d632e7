/** No list starves, in many questions by chance. */
import { testLists } from './starvation.ts';

testLists(100);
