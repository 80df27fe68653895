/**
 * Whom a request and its answer name, as 64 bits of a digest each: ids and email addresses, wherever they stand. By
 * these the stored answers that name a member are found when it is erased: the answers themselves are encrypted.
 * Source: docs/specification/conventions.md#stored-answers.
 */
import { createHash } from 'node:crypto';
import { normaliseEmail } from './schemas.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
/** What no email address has in it; in JSON one ends there. */
const EMAIL_ENDS = /[\s@"(),:;<>[\\\]{}]/;
const MAX_LOCAL = 64;
const MAX_EMAIL = 254;

/** As texts of PostgreSQL's `bigint`, each once. */
export function digestsOfNamed(parts: readonly unknown[]): string[] {
  const named = new Set<string>();
  for (const part of parts) {
    const text = typeof part === 'string' ? part : (JSON.stringify(part) ?? '');
    for (const [id] of text.matchAll(UUID)) named.add(id.toLowerCase());
    for (const email of emailsIn(text)) named.add(email);
  }
  return [...named].map(digestOfName);
}

/** Of an id, or of a normalised email address. */
export function digestOfName(name: string): string {
  return createHash('sha256').update(name).digest().readBigInt64BE().toString();
}

/** By the @, so that a long text without one costs nothing. */
function* emailsIn(text: string): Generator<string> {
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    let start = at;
    while (start > 0 && at - start < MAX_LOCAL && !EMAIL_ENDS.test(text.charAt(start - 1))) start--;
    let end = at + 1;
    while (end < text.length && end - at < MAX_EMAIL && !EMAIL_ENDS.test(text.charAt(end))) end++;
    if (start < at && end > at + 1) yield normaliseEmail(text.slice(start, end));
  }
}
