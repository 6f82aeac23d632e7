/** All that is proved in a browser, in one: its start costs as much as ten tests. The long checks have every view, and the report. */
import { VIEWS } from './chromium.ts';
import './demo.ts';
import './embed.ts';
import './search-box.ts';
import { testKeyboard, testViews } from './explorer.ts';
import { testServicePages } from './pages.ts';

testViews(['hostile'], [{ colorScheme: 'light', width: 390 }]);
testKeyboard();

testServicePages([VIEWS[3]!]);
