// A place for a list of related pages. The build has written the list into the HTML of the page, where React lets it stand.
// On the way from page to page within the site it is taken from the HTML of the next page.
import { useLocation } from '@docusaurus/router';
import { createElement, useEffect, useRef } from 'react';

const PLACE = '<akin-related></akin-related>';
/** One object for all: React writes the HTML anew where it is given another. */
const HELD = { __html: PLACE };

export default function RelatedPages() {
  const { pathname } = useLocation();
  return createElement(List, { key: pathname, pathname });
}

function List({ pathname }) {
  const place = useRef(null);
  useEffect(() => {
    const leaving = new AbortController();
    const show = async () => {
      const answer = await fetch(pathname, { signal: leaving.signal });
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      place.current.innerHTML = page.querySelector('akin-related')?.outerHTML ?? PLACE;
    };
    // Without a network there is no list, and nothing else is amiss.
    if (!place.current.querySelector('section')) show().catch(() => {});
    return () => leaving.abort();
  }, [pathname]);
  const shown = { ref: place, suppressHydrationWarning: true, dangerouslySetInnerHTML: HELD };
  return createElement('div', { ...shown, className: 'margin-top--lg' });
}
