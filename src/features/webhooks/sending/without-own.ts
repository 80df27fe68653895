/** Takes what is write-only out of answers that are kept. Source: docs/specification/webhooks.md#rights. */

/** Shorter ones would take words out of any answer. */
const SHORTEST = 8;
const GAP = '…';

/**
 * The beginning of an answer without the values of the endpoint's own headers, and without their words, as JSON has them
 * too; at its end it may be cut within one.
 */
export function withoutOwn(answer: string, own: Readonly<Record<string, string>>): string {
  const hidden = Object.values(own)
    .flatMap((value) => [value, ...value.split(/[ \t,;]+/)])
    .flatMap((text) => [text, JSON.stringify(text).slice(1, -1)])
    .filter((text) => text.length >= SHORTEST)
    .toSorted((a, b) => b.length - a.length);
  const whole = hidden.reduce((text, value) => text.replaceAll(value, GAP), answer);
  return hidden.reduce(withoutBeginning, whole);
}

function withoutBeginning(text: string, value: string): string {
  for (let length = value.length - 1; length >= SHORTEST; length -= 1) {
    if (text.endsWith(value.slice(0, length))) return text.slice(0, -length) + GAP;
  }
  return text;
}
