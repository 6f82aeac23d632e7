import { join } from 'node:path';
import { test } from 'node:test';
import { crawlWithoutRoom } from './disk.ts';
import { temporaryFolder } from './loopback.ts';

test('a crawl whose files may not grow ends as on a full disk, and goes on with nothing lost', (t) =>
  crawlWithoutRoom(t, join(temporaryFolder(t), 'crawl'), 60, ['ulimit -f 160', 'true']));
