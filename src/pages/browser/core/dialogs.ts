/** Links that open dialogs; without script they lead to them. */
document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const opener = target?.closest<HTMLElement>('[data-dialog]');
  const dialog = opener && document.getElementById(opener.dataset['dialog'] ?? '');
  if (dialog instanceof HTMLDialogElement) {
    event.preventDefault();
    dialog.showModal();
    dialog.querySelector<HTMLElement>('input:not([type="hidden"]), select, textarea')?.focus();
    return;
  }
  const open = target?.closest('[data-close]')?.closest('dialog');
  if (open) {
    event.preventDefault();
    open.close();
    if (location.hash === `#${open.id}`) history.replaceState(null, '', location.pathname + location.search);
  }
});

for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog')) {
  const mustConfirm = dialog.dataset['mustConfirm'] !== undefined;
  // Drawn with a fault, or come to by its address: it is open again.
  if (!mustConfirm && !dialog.querySelector('[role="alert"], .fault') && location.hash !== `#${dialog.id}`) continue;
  dialog.removeAttribute('open');
  dialog.showModal();
  if (mustConfirm) dialog.addEventListener('cancel', (event) => event.preventDefault());
}

document.addEventListener('click', (event) => {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.account[open]')) {
    if (!(event.target instanceof Node && menu.contains(event.target))) menu.open = false;
  }
});
