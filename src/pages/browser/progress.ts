/** How far an import, a run of payouts, or the making of files, has come: asked for every two seconds while it is under way; at its end the page is drawn anew. */
const EVERY_MS = 2_000;

async function look(): Promise<void> {
  const shown = document.querySelector('#progress[data-under-way]');
  if (!shown) return;
  if (document.visibilityState === 'visible') {
    const answer = await fetch(location.href, { headers: { 'hx-request': 'true', 'hx-target': 'progress' } }).catch(() => null);
    if (answer?.ok) {
      const drawn = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const fresh = drawn.querySelector('#progress');
      if (fresh && !fresh.matches('[data-under-way]')) return location.reload();
      if (fresh) shown.replaceWith(fresh);
      for (const list of drawn.querySelectorAll<HTMLElement>('[data-with-progress]')) putInPlace(list);
    }
  }
  setTimeout(() => void look(), EVERY_MS);
}

/** What comes with it, where it says something else than before. Nothing is taken from under somebody's hands. */
function putInPlace(fresh: HTMLElement): void {
  const shown = document.getElementById(fresh.id);
  if (!shown || shown.dataset['withProgress'] === fresh.dataset['withProgress'] || isInUse(shown)) return;
  shown.replaceWith(fresh);
}

function isInUse(shown: HTMLElement): boolean {
  const isTyped = (field: HTMLInputElement): boolean => field.value !== field.defaultValue;
  return (
    shown.contains(document.activeElement) ||
    shown.querySelector('details[open], form[data-sent]') !== null ||
    [...shown.querySelectorAll('input')].some(isTyped)
  );
}

setTimeout(() => void look(), EVERY_MS);
