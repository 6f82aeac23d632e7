/** Pages in a real browser: wide and light, narrow and dark; pages.long.ts has every view and profile. */
import { VIEWS } from './chromium.ts';
import { testReport, testServicePages } from './pages.ts';

const views = [VIEWS[0]!, VIEWS[3]!];
testReport('akin', views);
testServicePages(views);
