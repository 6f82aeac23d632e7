/** Pages whose words are known by how they are made. */
import type { FixturePage } from './fixture-index.ts';

export const pages: FixturePage[] = [];
const add = (url: string, title: string, body: string, head = '', lang = 'en') =>
  pages.push({
    url,
    html: `<html lang="${lang}"><head><title>${title}</title>${head}</head><body><p>${body}</p></body></html>`,
  });
export const FILLER =
  'This page says a few more things so that it is not too short to be compared with another page at all.';

export const PRUNING = 'https://garden.example/pruning';
export const CAFE = 'https://paris.example/cafe';
export const SOIL = 'https://docs.garden.example/soil';
add(
  PRUNING,
  'Pruning',
  `${FILLER} Roses are pruned in early spring. ${FILLER}`,
  '<meta name="description" content="When to prune."><meta property="article:published_time" content="2026-01-02">',
);
add('https://garden.example/roses', 'Roses', `A rose, and roses again. Never cut in autumn. ${FILLER}`);
add(SOIL, 'Soil', `What roses like. Compost in early autumn. ${FILLER}`);
add(CAFE, 'Café', `Un café crème à la terrasse. ${FILLER}`, '', 'fr');
add(
  'https://a.example/hostile',
  '&lt;b&gt;bold&lt;/b&gt;',
  `roses &lt;script&gt;alert(1)&lt;/script&gt; ${FILLER}`,
);
const mirrored = Array.from({ length: 120 }, (_, i) => `w${i * 7}x`).join(' ');
for (let i = 0; i < 5; i++) add(`https://mirror${i}.example/`, 'Mirror', `${mirrored} tulip`);
add(
  'https://other.example/',
  'Other',
  `tulip ${FILLER} <a href="https://unread.example/">hyacinth bulbs</a>`,
);
// Four pages that are known by the one word alone, and one that is about it.
export const ORCHID = 'https://orchid.example/';
add(
  'https://a.example/links',
  'Elsewhere',
  `${FILLER} ${[0, 1, 2, 3].map((i) => `<a href="https://unread.example/${i}">orchid</a>`).join(' and ')}`,
);
add(ORCHID, 'Orchid', `${FILLER} ${FILLER} ${FILLER} An orchid flowers for weeks. ${FILLER}`);
for (let i = 0; i < 30; i++)
  add(`https://many.example/${String(i).padStart(2, '0')}`, `Item ${i}`, `daffodil number n${i}`);
export const CROCUSES = 230;
for (let i = 0; i < CROCUSES; i++) {
  const words = Array.from({ length: 40 }, (_, at) => `u${i === CROCUSES - 1 ? 0 : i}x${at}`);
  add(`https://crocus.example/${String(i).padStart(3, '0')}`, `Bed ${i}`, `crocus ${words.join(' ')}`);
}
/** Every other one has the words of the one before. */
export const SNOWDROPS = 1100;
for (let i = 0; i < SNOWDROPS; i++) {
  const words = Array.from({ length: 30 }, (_, at) => `v${i - (i % 2)}x${at}`);
  add(`https://snowdrop.example/${i}`, `Lawn ${i}`, `snowdrop ${words.join(' ')}`);
}
export const SLIP = 'https://slip.example/';
add(SLIP, 'Slip', `snowdrob ${FILLER}`);
export const CHINESE = 'https://zh.example/search';
export const OTHER_CHINESE = 'https://zh.example/garden';
export const THAI = 'https://th.example/';
add(CHINESE, '搜索引擎入门', `本文介绍全文搜索引擎，以及C语言的实现。 ${FILLER}`, '', 'zh');
add(OTHER_CHINESE, '花园', `玫瑰的引种与探索。 ${FILLER}`, '', 'zh');
export const SIGNS = 'https://signs.example/';
add(SIGNS, 'Signs', `\ue80aHellebore\ue80b Schnee\u00adglöck\u00adchen🫠galanthus\u{f0001}scilla ${FILLER}`);
add(THAI, 'สวน', `ดอกกุหลาบบานในสวน ${FILLER}`, '', 'th');
