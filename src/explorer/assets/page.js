/** A button that copies the snippet. */
for (const snippet of document.querySelectorAll('.snippet')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(snippet.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(snippet);
    }
  });
  snippet.after(button);
}

/** The second capture that is chosen has the two compared. */
for (const form of document.querySelectorAll('form:has(.strip)')) {
  form.addEventListener('change', () => {
    if (form.querySelectorAll(':checked').length === 2) form.requestSubmit();
  });
}
