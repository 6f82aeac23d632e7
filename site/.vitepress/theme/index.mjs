import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import RelatedPages from './RelatedPages.vue';

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'doc-after': () => h(RelatedPages) }),
};
