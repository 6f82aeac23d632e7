/** What a reader sees does not move: drawing waits until it pushes nothing that is in sight. */

/** Whether the browser keeps its place when something above it changes. */
const KEEPS_PLACE = CSS.supports('overflow-anchor', 'auto');

/**
 * Calls `then` once the element is within a window's height of the reader.
 *
 * @param {Element} element
 * @param {() => void} then
 * @returns {() => void} stops waiting
 */
export function whenNear(element, then) {
  return watch(element, '100%', (entry) => entry.isIntersecting, then);
}

/**
 * Calls `draw` at once if that moves nothing in sight, else as soon as it does not.
 *
 * @param {Element} element what grows, at its end
 * @param {() => void} draw
 * @param {() => boolean} [isFree] whether drawing now moves nothing; by default, whether the end is out of sight
 * @returns {() => void} stops waiting
 */
export function drawCalmly(element, draw, isFree = () => endsOutOfSight(element)) {
  if (isHeld(element) || !canScroll() || isFree()) {
    draw();
    return () => {};
  }
  return watch(element, '0%', isFree, draw);
}

/** @param {Element} element */
export function endsOutOfSight(element) {
  const { bottom } = element.getBoundingClientRect();
  return bottom >= innerHeight || (KEEPS_PLACE && bottom <= 0);
}

/** @param {Element} element */
export function isOutOfSight(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= innerHeight || (KEEPS_PLACE && bottom <= 0);
}

/**
 * Whether nothing that is in sight follows an element.
 *
 * @param {Element} element
 */
export function isLastInSight(element) {
  for (let at = /** @type {Element | null} */ (element); at !== null; at = at.parentElement) {
    for (let next = at.nextElementSibling; next !== null; next = next.nextElementSibling) {
      const { top, bottom, height } = next.getBoundingClientRect();
      if (height > 0) return top >= innerHeight || bottom <= 0;
    }
  }
  return true;
}

/**
 * Whether the page does not show the element yet: what is not seen may move.
 *
 * @param {Element} element
 */
function isHeld(element) {
  return getComputedStyle(element).visibility === 'hidden';
}

/** On a page that fits its window nothing ever comes out of sight, and waiting would never end. */
function canScroll() {
  return document.documentElement.scrollHeight > innerHeight;
}

/**
 * @param {Element} element
 * @param {string} margin below the window
 * @param {(entry: IntersectionObserverEntry) => boolean} isTime
 * @param {() => void} then
 */
function watch(element, margin, isTime, then) {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(isTime)) return;
      observer.disconnect();
      then();
    },
    { rootMargin: `0% 0% ${margin} 0%`, threshold: [0, 1] },
  );
  observer.observe(element);
  return () => observer.disconnect();
}
