/** Pages of verifications, fetched behind the one that is shown. */
import { parsed } from './review-send.ts';

export function rootOf(page: Document): HTMLElement | null {
  return page.querySelector<HTMLElement>('[data-review]');
}

/** Undefined where it is no page of a verification, and where nobody answers. */
export async function fetchPage(href: string): Promise<Document | undefined> {
  const answer = await fetch(href).catch(() => undefined);
  if (!answer) return undefined;
  const page = parsed(await answer.text());
  return answer.ok && rootOf(page) ? page : undefined;
}

/** What the vendor has found is asked for behind the page: the vendor may be slow. */
export function loadFindings(now: HTMLElement): void {
  const place = now.querySelector<HTMLElement>('#findings[data-href]');
  const href = place?.dataset['href'];
  if (!place || href === undefined) return;
  void fetch(href, { headers: { 'hx-request': 'true', 'hx-target': 'findings' } })
    .then(async (answer) => {
      const found = answer.ok ? parsed(await answer.text()).querySelector('#findings') : null;
      if (found && place.isConnected) place.replaceWith(found);
    })
    .catch(() => undefined);
}

/** Whose focus went with the page before goes on at the same place, else at `next`, else at the heading. */
export function focusAnew(was: Element | null, next: HTMLElement | undefined): void {
  if (!was || was.isConnected) return;
  const same = was.id === '' ? null : document.getElementById(was.id);
  const heading = document.querySelector<HTMLElement>('#main h1');
  if (heading) heading.tabIndex = -1;
  for (const place of [same, next, heading]) {
    place?.focus({ preventScroll: true });
    if (place && place === document.activeElement) return;
  }
}

/** What stands beside a record that was free is for one that is taken. */
export function sayTaken(): void {
  for (const part of document.querySelectorAll<HTMLElement>('[data-desk]')) part.hidden = part.dataset['desk'] !== 'taken';
}
