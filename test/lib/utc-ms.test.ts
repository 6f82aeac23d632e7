import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utcMs } from '../../src/lib/utc-ms.ts';

const at = (hour: number, ms = 0) => Date.UTC(2024, 4, 5, hour, 0, 0, ms);

test('a date without a zone is UTC wherever the machine is', (t) => {
  const zone = process.env['TZ'];
  t.after(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });
  for (const place of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
    process.env['TZ'] = place;
    const dates: readonly [text: string, expected: number][] = [
      ['2024-05-05', at(0)],
      ['2024-05-05T10:00', at(10)],
      ['2024-05-05T10:00:00', at(10)],
      ['2024-05-05 10:00:00', at(10)],
      ['2024-05-05T10:00:00.123456', at(10, 123)],
      ['2024-05-05T10:00:00Z', at(10)],
      ['2024-05-05T10:00:00+02:00', at(8)],
      ['2024-05-05T10:00:00+0200', at(8)],
      ['2024-05-05 10:00:00 -0500', at(15)],
      ['Sun, 05 May 2024 10:00:00 GMT', at(10)],
      ['Sun May 05 2024 10:00:00 GMT+0200 (CEST)', at(8)],
      ['Sun, 05 May 2024 10:00:00', at(10)],
      ['5 May 2024', at(0)],
      ['May 5, 2024 10:00', at(10)],
      ['05/05/2024', at(0)],
      ['Sun, 05 May 2024 10:00:00 EST', at(15)],
    ];
    for (const [text, expected] of dates) assert.equal(utcMs(text), expected, `${text} in ${place}`);
    for (const text of ['', 'soon', '2024-13-05', '2024-05-05T25:00:00', `5 May 2024${' '.repeat(200)}`])
      assert.equal(utcMs(text), Number.NaN, text);
  }
});
