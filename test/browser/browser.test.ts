/** All that is proved in a browser, in one: its start costs as much as ten tests. The long checks have every view, and the report. */
import './embed.ts';
import './embed-results.ts';
import './search-box.ts';
import './search-focus.ts';
import { testKeyboard, testViews } from './explorer.ts';

testViews(['hostile'], [{ colorScheme: 'light', width: 390 }]);
testKeyboard();
