/** The forms of the page of a verification: finding one, what it says, and what the member will read of it. */
import { fieldsOf } from './review-send.ts';

export function fieldOf(form: HTMLFormElement, name: string): string {
  const field = form.elements.namedItem(name);
  return field instanceof HTMLInputElement ? field.value : '';
}

export function formOf(action: string, key = ''): HTMLFormElement | undefined {
  return [...document.querySelectorAll<HTMLFormElement>('[data-review] form')].find(
    (form) => fieldOf(form, '_do') === action && fieldOf(form, '_form') === key,
  );
}

/** The next time that the form is sent is another time. */
export function renew(form: HTMLFormElement): void {
  const key = form.elements.namedItem('_key');
  if (key instanceof HTMLInputElement) key.value = crypto.randomUUID();
}

/** Whether it needs a reason, and none is chosen or written. */
export function lacksReason(form: HTMLFormElement): boolean {
  const fields = fieldsOf(form);
  return form.querySelector('[name="listed"]') !== null && !fields.get('listed') && !fields.get('reason')?.trim();
}

export function reads(form: HTMLFormElement): string {
  const text = form.querySelector('[data-reads]')?.textContent.trim() ?? '';
  return text === '' ? '' : `The member reads: ${text}`;
}

/** Names the documents that were not looked at, where an approval would accept them. */
export function sayUnseen(labels: readonly string[]): void {
  const place = document.querySelector('[data-unseen]');
  if (!place) return;
  place.textContent =
    labels.length > 0
      ? `Not looked at yet, and accepted with it: ${labels.join('; ')}.`
      : 'Every document was looked at or is decided.';
}

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName));
}

/** What the member will read follows what is chosen and typed. */
export function follow({ target }: Event): void {
  const form = target instanceof Element ? target.closest<HTMLFormElement>('[data-review] form') : null;
  const place = form?.querySelector('[data-reads-reason]');
  if (!form || !place) return;
  const fields = fieldsOf(form);
  const [listed, own] = [fields.get('listed') ?? '', fields.get('reason')?.trim() ?? ''];
  place.textContent = listed !== '' && own !== '' ? `${listed}. ${own}` : listed || own || '…';
  const documents = form.querySelector('[data-reads-documents]');
  if (!documents) return;
  const ticked = [...form.querySelectorAll<HTMLInputElement>('[name="documents"]:checked')];
  const labels = ticked.map((box) => box.labels?.[0]?.textContent.trim() ?? '');
  documents.textContent = labels.length > 0 ? ` (${labels.join('; ')})` : '';
}
