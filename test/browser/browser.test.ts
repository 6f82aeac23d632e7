/** All that is proved in a browser, in one: its start costs as much as ten tests. The long checks have every view. */
import { VIEWS } from './chromium.ts';
import './demo.ts';
import './embed.ts';
import './search-box.ts';
import { testKeyboard, testViews } from './explorer.ts';
import { testReport, testServicePages } from './pages.ts';

testViews(['hostile', 'map'], [{ colorScheme: 'light', width: 390 }]);
testViews(['page'], [{ colorScheme: 'dark', width: 1280 }]);
testKeyboard();

const views = [VIEWS[0]!, VIEWS[3]!];
testReport('akin', views);
testServicePages(views);
