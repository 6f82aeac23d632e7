import Footer from '@theme-init/DocItem/Footer';
import { createElement, Fragment } from 'react';
import RelatedPages from '../../RelatedPages.js';

export default function FooterWithRelatedPages(properties) {
  return createElement(Fragment, null, createElement(Footer, properties), createElement(RelatedPages));
}
