import { useData } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import RelatedPages from './RelatedPages.vue';

/** The box of akin in the bar at the top, where the site has a service. */
function SearchBox() {
  const { service } = useData().theme.value;
  return service && h('akin-search', { floating: '', style: 'flex: 1; max-width: 24rem; margin: 0 1rem' });
}

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, { 'nav-bar-content-before': SearchBox, 'doc-after': () => h(RelatedPages) }),
};
