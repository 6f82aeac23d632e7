/** The box says what it understood, and takes a pasted text or a dropped file. */
const form = document.querySelector('.box');
const input = form.elements.q;
const note = form.querySelector('output');

const isUrl = (value) =>
  /^https?:\/\/\S+$/i.test(value) || /^[^\s/:@?#]+\.\p{L}[\p{L}\p{N}-]+(:\d+)?([/?#]\S*)?$/u.test(value);
/** More than any question that people type; the server goes by the same. */
const isText = (value) =>
  !isUrl(value.trim()) && (value.trim().length > 300 || value.trim().split(/\s+/).length > 25);

input.addEventListener('input', () => {
  const value = input.value.trim();
  note.value = value === '' || value === input.defaultValue ? '' : `${understood(value)} (Enter)`;
});

function understood(value) {
  if (isText(value)) return 'A text: shows the pages nearest to it';
  return isUrl(value) ? 'A URL: shows its page' : 'Words: searches for them';
}

input.addEventListener('paste', (event) => {
  const text = event.clipboardData?.getData('text') ?? '';
  if (!isText(text)) return;
  event.preventDefault();
  note.value = 'A text: looking for the pages nearest to it';
  send({ text });
});

form.addEventListener('submit', (event) => {
  if (!isText(input.value)) return;
  event.preventDefault();
  send({ text: input.value });
});

addEventListener('dragover', (event) => {
  if (!event.dataTransfer?.types.includes('Files')) return;
  event.preventDefault();
  document.body.classList.add('dropping');
});
addEventListener('dragleave', () => document.body.classList.remove('dropping'));
addEventListener('drop', (event) => {
  const file = event.dataTransfer?.files[0];
  if (file === undefined) return;
  event.preventDefault();
  document.body.classList.remove('dropping');
  note.value = 'A file: looking for the pages nearest to it';
  send({ file });
});

/** As the form for a text sends it. */
function send({ text, file }) {
  const sent = document.createElement('form');
  Object.assign(sent, {
    method: 'post',
    action: form.dataset.text,
    enctype: 'multipart/form-data',
    hidden: true,
  });
  const field = document.createElement(file === undefined ? 'textarea' : 'input');
  if (file === undefined) Object.assign(field, { name: 'text', value: text });
  else {
    Object.assign(field, { type: 'file', name: 'file' });
    const files = new DataTransfer();
    files.items.add(file);
    field.files = files.files;
  }
  sent.append(field);
  document.body.append(sent);
  sent.submit();
}
