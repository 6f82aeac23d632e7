/** Pages in a real browser, in every view and of every profile. */
import { VIEWS } from './chromium.ts';
import { testReport, testServicePages } from './pages.ts';

for (const profile of ['akin', 'haveliwala2000']) testReport(profile, VIEWS);
testServicePages(VIEWS);
