import { test } from 'node:test';
import { killAndResume } from './kill.ts';

test('a crawl killed once goes on to the same pages, each archived once', (t) => killAndResume(t, 1, 40, 11));
