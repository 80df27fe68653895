/** Checks the signature of what is pasted into the page. It asks nobody: nothing that is pasted leaves the browser. */
import { verifySignature } from './verify-signature.ts';

const place = document.querySelector<HTMLElement>('[data-signature]');
const said = document.querySelector<HTMLElement>('#signature-said');

place?.querySelector('[data-check]')?.addEventListener('click', () => {
  if (!globalThis.isSecureContext) return show('This browser computes nothing on pages without https.', 'bad');
  const pasted = { headers: typed('headers'), body: typed('body'), secret: typed('secret') };
  void verifySignature(pasted, Date.now() / 1000).then(
    ({ ok, said: words }) => show(words, ok ? 'good' : 'bad'),
    () => show('This browser cannot compute it.', 'bad'),
  );
});

function typed(name: string): string {
  return place?.querySelector<HTMLInputElement | HTMLTextAreaElement>(`#signature-${name}`)?.value ?? '';
}

function show(words: string, tone: 'good' | 'bad'): void {
  if (!said) return;
  const line = document.createElement('p');
  line.textContent = words;
  said.className = `notice notice-${tone}`;
  said.replaceChildren(line);
}
