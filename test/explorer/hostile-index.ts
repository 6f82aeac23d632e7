/** A small index whose titles, URLs and texts would hurt a careless page, beside plain ones. */
import { join } from 'node:path';
import { buildFixture, type FixturePage, fixturePages, temporaryFolder } from '../service/fixture-index.ts';

const ROSES =
  'rose petal thorn cane pruning graft rootstock bloom shrub climber mulch aphid mildew fragrance bud hip trellis hedge';

const SCRIPT = '<script>window.hurt = 1</script><img src=x onerror="window.hurt = 1">';
/** The title of each page holds one of these. */
export const HOSTILE_TITLES = {
  markup: SCRIPT,
  attribute: '=HYPERLINK(" onmouseover="window.hurt = 1" x="',
  template: '{{7*7}} <%= 7*7 %>',
  bidi: 'plain \u202Etxet sdrawkcab',
  long: `${'Roses and more roses '.repeat(500)}end`,
  unbroken: 'rose'.repeat(2500),
  arabic: 'زراعة الورود في الحديقة',
  chinese: '玫瑰的栽培与修剪',
  none: '',
} as const;
type Name = keyof typeof HOSTILE_TITLES;
export const HOSTILE_NAMES = Object.keys(HOSTILE_TITLES) as Name[];

export const hostileUrl = (name: Name): string =>
  name === 'long'
    ? `https://hostile.example/${'path-'.repeat(390)}`
    : `https://hostile.example/${name}?q=<b>&x="y"'`;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Of every one of these pages. */
export const HOSTILE_FIELDS = { price: 12.5, tags: ['loose', SCRIPT], word: 'unbroken'.repeat(100) };
const FIELDS = Object.entries(HOSTILE_FIELDS)
  .flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })))
  .map(
    ({ name, value }) =>
      `<meta name="akin:${name}" content="${escaped(String(value)).replaceAll('"', '&quot;')}">`,
  )
  .join('');

function hostilePages(): FixturePage[] {
  return HOSTILE_NAMES.map((name, i) => ({
    url: hostileUrl(name),
    html: `<html><title>${escaped(HOSTILE_TITLES[name])}</title>${FIELDS}<p>${`${ROSES} `.repeat(2)} ${escaped(SCRIPT)} variety number${i} ${ROSES.split(' ').toSpliced(i, 6).join(' ')} \u202E\u2066 ${escaped(SCRIPT)}</p></html>`,
  }));
}

/** Built into a folder that is gone after the tests of the file. */
export async function hostileIndex(t: { after(fn: () => void): void }): Promise<string> {
  const path = join(temporaryFolder(t), 'hostile.akin');
  await buildFixture(path, [...fixturePages(), ...hostilePages()], { maxPageShare: 1 });
  return path;
}
