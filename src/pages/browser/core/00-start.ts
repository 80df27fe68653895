/** Tells the styles that scripts run: what needs them is shown then. */
document.documentElement.classList.add('scripted');

for (const item of document.querySelectorAll('.nav [aria-current="page"]')) {
  const side = item.closest('.side');
  if (side && side.scrollWidth > side.clientWidth && item instanceof HTMLElement) side.scrollLeft = item.offsetLeft - 60;
}

/** A form is sent once: a second click on the way does nothing. */
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.method !== 'post' || event.defaultPrevented) return;
  if (form.dataset['sent'] === 'yes') {
    event.preventDefault();
    return;
  }
  form.dataset['sent'] = 'yes';
  form.setAttribute('aria-busy', 'true');
});

/** Come back to by the back button, a form may be sent again. */
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-sent]')) {
    delete form.dataset['sent'];
    form.removeAttribute('aria-busy');
  }
});
