/** Sends a form of the page without leaving it, and reads what came of it. */
import type { Sent } from './review-decisions.ts';
import { outcomeOf } from './review-outcome.ts';

/** Whoever answers later than this has not answered. */
const LONGEST_MS = 20_000;
const SIGNED_OUT = 'You are signed out. Sign in, open the record and decide again.';

/** The fields that a form has now, its hidden ones too. */
export function fieldsOf(form: HTMLFormElement): URLSearchParams {
  const all = [...new FormData(form)].filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  return new URLSearchParams(all);
}

/** `quiet` asks the page for a short answer in the place of itself. Throws where nobody answers in time. */
export async function sendForm(address: string, fields: URLSearchParams): Promise<Sent> {
  const body = new URLSearchParams(fields);
  body.set('quiet', 'yes');
  const answer = await fetch(address, { method: 'POST', body, signal: AbortSignal.timeout(LONGEST_MS) });
  const outcome = outcomeOf(answer);
  if (outcome === 'signed-out') return { kind: 'refused', message: SIGNED_OUT };
  if (outcome === 'refused') return { kind: 'refused', message: faultIn(parsed(await answer.text())) };
  return { kind: outcome };
}

export function parsed(text: string): Document {
  return new DOMParser().parseFromString(text, 'text/html');
}

/** What the page says is wrong: beside a field, above a form, above the page, or as its title. */
function faultIn(page: Document): string {
  const found = page.querySelectorAll('main .fault, main [role="alert"] p, main .notice-bad p');
  const texts = [...new Set([...found].map((one) => one.textContent.trim()))].filter(Boolean);
  if (texts.length > 0) return texts.join(' ');
  const title = page.querySelector('main h1')?.textContent.trim() ?? '';
  const lead = page.querySelector('main .page-head p')?.textContent.trim() ?? '';
  return [title, lead].filter(Boolean).join('. ') || 'The service did not do it.';
}
