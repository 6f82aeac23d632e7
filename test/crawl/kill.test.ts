import { test } from 'node:test';
import { killAndResume } from './kill.ts';

test('a crawl killed three times goes on to the same pages, each archived once', (t) =>
  killAndResume(t, 3, 40, 11));
