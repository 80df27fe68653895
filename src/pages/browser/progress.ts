/** How far an import, or the making of files, has come: asked for every two seconds while it is under way; at its end the page is drawn anew. */
const EVERY_MS = 2_000;

async function look(): Promise<void> {
  const shown = document.querySelector('#progress[data-under-way]');
  if (!shown) return;
  if (document.visibilityState === 'visible') {
    const answer = await fetch(location.href, { headers: { 'hx-request': 'true', 'hx-target': 'progress' } }).catch(() => null);
    if (answer?.ok) {
      const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('#progress');
      if (fresh && !fresh.matches('[data-under-way]')) return location.reload();
      if (fresh) shown.replaceWith(fresh);
    }
  }
  setTimeout(() => void look(), EVERY_MS);
}

setTimeout(() => void look(), EVERY_MS);
