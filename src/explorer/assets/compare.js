/** Lights up both ends of a shared passage. */
const twins = (passage) => document.querySelectorAll(`#a-${passage}, #b-${passage}`);

for (const type of ['pointerover', 'pointerout', 'focusin', 'focusout']) {
  document.addEventListener(type, ({ target }) => {
    const [, passage] = /#[ab]-(\d+)$/.exec(target.closest?.('a')?.getAttribute('href') ?? '') ?? [];
    if (passage === undefined) return;
    const isOn = type === 'pointerover' || type === 'focusin';
    for (const mark of twins(passage)) mark.classList.toggle('on', isOn);
  });
}
