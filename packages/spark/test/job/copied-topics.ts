/** Pages of planted topics on hosts with frames, some of them copied with words changed, cut short or said to be translated. */
import { Random } from '../../../../src/lib/random.ts';
import { document, type TestPage } from '../../../../test/indexer/pages.ts';

/** Hosts whose pages share a frame of words. */
const FRAMED = 4;
const HOSTS = 6;

/** `pageCount` pages; the number of the topic stands in the URL. */
export function copiedTopics(pageCount: number, topicCount: number, seed: number): TestPage[] {
  const random = new Random(seed);
  const words = (count: number, word: () => string) => Array.from({ length: count }, word);
  const letters = (number: number) =>
    number.toString(26).replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)));
  const frames = Array.from({ length: FRAMED }, (_, host) =>
    words(50, () => `frame${letters(host * 1000 + random.below(900))}`).join(' '),
  );
  const pages: TestPage[] = [];
  let original: string[] = [];
  for (let i = 0; i < pageCount; i++) {
    const topic = random.below(topicCount);
    const isCopy = i > 0 && random.below(4) === 0;
    if (!isCopy) {
      original = words(60 + random.below(300), () =>
        random.below(4) === 0
          ? `common${letters(random.below(400))}`
          : `topic${letters(1000 * (topic + 1) + random.below(150))}`,
      );
    }
    const changed = random.below(30);
    const text = original
      .slice(0, isCopy && random.below(4) === 0 ? original.length / 2 : original.length)
      .map((word) =>
        isCopy && random.below(1000) < changed ? `change${letters(random.below(9999))}` : word,
      );
    const host = random.below(HOSTS);
    const frame = host < FRAMED ? `<p>${frames[host]}</p>` : '';
    const html = document(`page ${i}`, `${frame}<p>${text.join(' ')}</p>`);
    const language = random.below(20) === 0 ? 'de' : 'en';
    pages.push({
      url: `http://host${host}.example/${topic}/${i}`,
      html: html.replace('lang="en"', `lang="${language}"`),
    });
  }
  return pages;
}
