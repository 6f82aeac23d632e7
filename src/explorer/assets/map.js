/** Picture and list light up together, and a line says why; arrow keys move from disc to disc. */
const pictures = [...document.querySelectorAll('.map')];
const pointed = document.querySelector('.pointed');

function light(target, isOn) {
  const { page } = target.closest?.('[data-page]')?.dataset ?? {};
  if (page === undefined) return;
  for (const one of document.querySelectorAll(`[data-page="${page}"]`)) one.classList.toggle('on', isOn);
  const title = document.querySelector(`.map [data-page="${page}"] title`);
  if (isOn && title !== null) pointed.textContent = title.textContent;
}
for (const type of ['pointerover', 'focusin'])
  document.addEventListener(type, ({ target }) => light(target, true));
for (const type of ['pointerout', 'focusout'])
  document.addEventListener(type, ({ target }) => light(target, false));

const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

for (const picture of pictures) {
  const discs = [...picture.querySelectorAll('a[data-page]')];
  picture.addEventListener('keydown', (event) => {
    const way = WAYS[event.key];
    const from = event.target.closest?.('a[data-page]');
    if (way === undefined || from === null || from === undefined) return;
    event.preventDefault();
    nearestTowards(discs, from, way)?.focus();
  });
}

/** The disc that is least far off, ways aside counting double; none where nothing lies that way. */
function nearestTowards(discs, from, [x, y]) {
  const start = placeOf(from);
  let [best, least] = [null, Infinity];
  for (const disc of discs) {
    const place = placeOf(disc);
    const [dx, dy] = [place.x - start.x, place.y - start.y];
    const along = dx * x + dy * y;
    const aside = Math.abs(dx * y) + Math.abs(dy * x);
    if (disc === from || along <= 0) continue;
    const cost = along + 2 * aside;
    if (cost < least) [best, least] = [disc, cost];
  }
  return best;
}

function placeOf(disc) {
  const { cx, cy } = disc.querySelector('circle');
  return { x: cx.baseVal.value, y: cy.baseVal.value };
}
