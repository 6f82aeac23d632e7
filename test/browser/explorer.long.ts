/** Every page of the explorer in every view. */
import { PAGES, testViews } from './explorer.ts';

const views = [390, 768, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ colorScheme, width })),
);
testViews(Object.keys(PAGES), views);
