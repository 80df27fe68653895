/**
 * How a receipt names what was named. What nothing of ours has as its name may be anything, another party's click id or an
 * address among them, and a receipt is kept for good: only what has the form of our names is kept in it.
 */

/** Stands in a receipt for what is neither a click id nor a code by its form. */
const OTHER_TEXT = '(other text)';

export function clickReferenceOf(text: string): string {
  return /^ck_[\w-]{43}$/.test(text) ? text : OTHER_TEXT;
}

export function codeReferenceOf(text: string): string {
  return /^[A-Za-z0-9-]{3,32}$/.test(text) ? text.toUpperCase() : OTHER_TEXT;
}
