/** A small web of our own writing: two sites on gardens, one on bread. Enough for neighbors and clusters. */
const ROSES =
  'Roses want sun, rich soil and water. Prune a rose in spring: cut dead wood and crossing stems.';
const PRUNE =
  'Prune fruit trees in winter and roses in spring. Cut above a bud, and take dead wood out first.';
const SOIL =
  'Soil for roses and fruit trees: compost, sand and loam. Rich soil keeps water; poor soil needs compost.';
const BREAD =
  'Bread is flour, water, salt and yeast. Knead the dough, let the dough rise, bake the bread in a hot oven.';
const YEAST =
  'Yeast makes the dough rise. Warm water wakes the yeast; salt slows yeast down. Flour feeds the yeast.';
const OVEN =
  'A hot oven bakes bread with a crust. Heat the oven first, then bake the risen dough until brown.';

const page = (url: string, title: string, text: string, links: readonly string[] = []) => ({
  url,
  title,
  text,
  links,
});

export const GARDEN_PAGES = [
  page('https://garden.example/roses', 'Growing roses', ROSES, ['https://orchard.example/prune']),
  page('https://garden.example/soil', 'Soil and compost', SOIL, ['https://garden.example/roses']),
  page('https://orchard.example/prune', 'How to prune', PRUNE, ['https://garden.example/soil']),
  page('https://kitchen.example/bread', 'Baking bread', BREAD, ['https://kitchen.example/oven']),
  page('https://kitchen.example/yeast', 'What yeast does', YEAST, ['https://kitchen.example/bread']),
  page('https://kitchen.example/oven', 'The oven', OVEN, []),
] as const;

export const GARDEN_JSONL = GARDEN_PAGES.map((entry) => `${JSON.stringify(entry)}\n`).join('');

/** Labels for evaluations, by the last part of the URL. */
const TOPICS: Record<string, string> = {
  roses: 'Garden/Flowers',
  soil: 'Garden/Ground',
  prune: 'Garden/Flowers',
  bread: 'Kitchen/Baking',
  yeast: 'Kitchen/Baking',
  oven: 'Kitchen/Tools',
};
export const topicOf = (url: string) => TOPICS[url.split('/').at(-1)!]!;
