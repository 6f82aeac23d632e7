/** Lights up both ends of a shared passage; on a phone, shows the text that is asked for. */
const twins = (passage) => document.querySelectorAll(`#a-${passage}, #b-${passage}`);

for (const type of ['pointerover', 'pointerout', 'focusin', 'focusout']) {
  document.addEventListener(type, ({ target }) => {
    const [, passage] = /#[ab]-(\d+)$/.exec(target.closest?.('a')?.getAttribute('href') ?? '') ?? [];
    if (passage === undefined) return;
    const isOn = type === 'pointerover' || type === 'focusin';
    for (const mark of twins(passage)) mark.classList.toggle('on', isOn);
  });
}

const tabs = document.querySelector('.tabs');
const pair = document.querySelector('.pair');

function show(side) {
  pair.dataset.shown = side;
  for (const button of tabs.querySelectorAll('button')) {
    button.setAttribute('aria-pressed', String(button.dataset.side === side));
  }
}

if (tabs !== null && pair !== null) {
  tabs.hidden = false;
  show('a');
  tabs.addEventListener('click', ({ target }) => {
    const { side } = target.closest('button')?.dataset ?? {};
    if (side !== undefined) show(side);
  });
  // Before the browser goes to the twin of a passage: what is not shown cannot be scrolled to.
  document.addEventListener('click', ({ target }) => {
    const [, side] = /#([ab])-\d+$/.exec(target.closest?.('a')?.getAttribute('href') ?? '') ?? [];
    if (side !== undefined) show(side);
  });
  addEventListener('hashchange', showAddressed);
  showAddressed();
}

/** The passage that the address names, of a link that was sent or on the way back. */
function showAddressed() {
  const [passage, side] = /^#([ab])-\d+$/.exec(location.hash) ?? [];
  if (side === undefined || side === pair.dataset.shown) return;
  show(side);
  document.querySelector(passage)?.scrollIntoView();
}
