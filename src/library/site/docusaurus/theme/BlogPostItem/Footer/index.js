import { useBlogPost } from '@docusaurus/plugin-content-blog/client';
import Footer from '@theme-init/BlogPostItem/Footer';
import { createElement, Fragment } from 'react';
import RelatedPages from '../../RelatedPages.js';

/** In a list of posts there is no place. */
export default function FooterWithRelatedPages(properties) {
  const { isBlogPostPage } = useBlogPost();
  const footer = createElement(Footer, properties);
  return isBlogPostPage ? createElement(Fragment, null, footer, createElement(RelatedPages)) : footer;
}
