import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../src/lib/random.ts';
import { utcMs } from '../../src/lib/utc-ms.ts';

const at = (hour: number, ms = 0) => Date.UTC(2024, 4, 5, hour, 0, 0, ms);

function inZone<Value>(place: string, read: () => Value): Value {
  const zone = process.env['TZ'];
  process.env['TZ'] = place;
  try {
    return read();
  } finally {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  }
}

test('whatever a text is taken for, it is the same wherever the machine is', () => {
  const pieces = [
    '2026',
    '199',
    '1',
    '31',
    '-',
    ':',
    ' ',
    ',',
    'T',
    'z',
    'July',
    'Sep',
    'Mon',
    'AM',
    'GMT',
    'UT',
    'UTC',
    'EST',
  ];
  pieces.push(
    'pdt',
    '+01',
    '-0500',
    '+01:00',
    '10:00',
    '10:00:00.5',
    '2026-07-02',
    '2026-07-02T10:00',
    '(CET)',
    '+002026-01-01',
  );
  const random = new Random(3);
  const texts = Array.from({ length: 200_000 }, () => {
    return Array.from({ length: 1 + random.below(6) }, () => pieces[random.below(pieces.length)]!).join('');
  });
  texts.push('10 JulyZ', 'UTC+01', '10 SepUT', '10 July 2026 10:00 AM EST');
  const read = () => texts.map(utcMs);
  const [first, ...others] = ['UTC', 'America/New_York', 'Asia/Kolkata'].map((place) => inZone(place, read));
  assert.ok(first!.filter((ms) => !Number.isNaN(ms)).length > 3000);
  assert.equal(first!.at(-1), Date.UTC(2026, 6, 10, 15));
  for (const other of others) assert.deepEqual(other, first);
});

test('a date without a zone is UTC wherever the machine is', () => {
  for (const place of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
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
      ['+275760-09-13T00:00:00.000Z', 8.64e15],
      ['May 5, 2024 10:00', at(10)],
      ['Sun, 05 May 2024 10:00:00 EST', at(15)],
    ];
    for (const [text, expected] of dates) {
      assert.equal(
        inZone(place, () => utcMs(text)),
        expected,
        `${text} in ${place}`,
      );
    }
    const none = ['', 'soon', '2024-13-05', '2024-05-05T25:00:00', `5 May 2024${' '.repeat(200)}`];
    // `Date.parse` reads all of these.
    none.push('12', '2024', 'hello 5', '05/04/2024', 'May 5', '5 May 24', '1.5', '+002026-01-01', '2024-05');
    for (const text of none)
      assert.equal(
        inZone(place, () => utcMs(text)),
        Number.NaN,
        text,
      );
  }
});

test('a day that no month has is no date, in whichever form of ISO 8601', () => {
  const two = (number: number) => String(number).padStart(2, '0');
  const lengthOf = (month: number, isLeap: boolean) =>
    month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  for (const [year, isLeap] of [
    [1900, false],
    [2000, true],
    [2023, false],
    [2024, true],
  ] as const) {
    for (let month = 0; month <= 13; month++) {
      for (let day = 0; day <= 32; day++) {
        const text = `${year}-${two(month)}-${two(day)}`;
        const isThere = month >= 1 && month <= 12 && day >= 1 && day <= lengthOf(month, isLeap);
        for (const rest of ['', 'T10:00:00Z', ' 10:00', 'T10:00:00.5+02:00'])
          assert.equal(Number.isNaN(utcMs(text + rest)), !isThere, text + rest);
      }
    }
  }
});
