/** Narrow and light, wide and dark; explorer.long.ts has every page in every view. */
import { testKeyboard, testViews } from './explorer.ts';

testViews(['home', 'hostile', 'map', 'compare'], [{ colorScheme: 'light', width: 390 }]);
testViews(['page', 'compare'], [{ colorScheme: 'dark', width: 1280 }]);
testKeyboard();
