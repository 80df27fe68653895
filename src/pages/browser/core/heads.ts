/**
 * The head of a table that is as wide as its place stays in sight as one scrolls down. A wider one is scrolled sideways
 * instead, and so are all without script: what scrolls sideways is a box of its own, in which nothing sticks to the page.
 */
const watcher = new ResizeObserver((seen) => {
  const boxes = new Set(seen.map(({ target }) => target.closest('.scroll')));
  for (const box of boxes) {
    const table = box?.querySelector<HTMLElement>(':scope > table');
    if (box && table) box.classList.toggle('is-whole', table.offsetWidth <= box.clientWidth);
  }
});

function watch(): void {
  for (const box of document.querySelectorAll('.scroll:not([data-watched])')) {
    box.setAttribute('data-watched', '');
    watcher.observe(box);
    const table = box.querySelector(':scope > table');
    if (table) watcher.observe(table);
  }
}

watch();
// Lists are drawn again as one types.
new MutationObserver(watch).observe(document.body, { childList: true, subtree: true });
