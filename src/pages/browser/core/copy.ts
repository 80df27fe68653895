/** Buttons that copy what they stand beside. */
document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-copy]') : null;
  if (!button) return;
  void navigator.clipboard.writeText(button.dataset['copy'] ?? '').then(
    () => tell(button, 'Copied'),
    () => tell(button, 'This browser does not let pages copy'),
  );
});

function tell(button: HTMLElement, word: string): void {
  const before = button.getAttribute('aria-label') ?? '';
  if (before === word) return;
  button.classList.toggle('is-copied', word === 'Copied');
  button.setAttribute('aria-label', word);
  button.title = word;
  setTimeout(() => {
    button.classList.remove('is-copied');
    button.setAttribute('aria-label', before);
    button.title = before;
  }, 2_000);
}
