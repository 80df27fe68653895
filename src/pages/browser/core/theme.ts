/** The colours that a person chose: in a cookie, so that the server draws the page in them from the start. */
const root = document.documentElement;

function mark(): void {
  const chosen = root.dataset['theme'] ?? '';
  for (const button of document.querySelectorAll<HTMLElement>('[data-theme-to]')) {
    button.setAttribute('aria-pressed', String(button.dataset['themeTo'] === chosen));
  }
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-theme-to]') : null;
  if (!button) return;
  const theme = button.dataset['themeTo'] ?? '';
  if (theme === '') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
  const keep = theme === '' ? 'Max-Age=0' : 'Max-Age=31536000';
  // biome-ignore lint/suspicious/noDocumentCookie: the server reads it, and the other way is not in every browser.
  document.cookie = `mcr-theme=${theme}; Path=/dashboard; SameSite=Lax; ${keep}${location.protocol === 'https:' ? '; Secure' : ''}`;
  mark();
});

mark();
