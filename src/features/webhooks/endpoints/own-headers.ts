/** Headers that an endpoint asks for beside ours. Source: docs/specification/webhooks.md#endpoints. */

export const MOST_HEADERS = 5;

/** Set by us or by the connection: nobody else says them. */
const OURS = new Set([
  'accept-encoding',
  'connection',
  'cookie',
  'date',
  'expect',
  'forwarded',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
]);
const OUR_WORDS = /^(webhook-|content-|proxy-|sec-|x-forwarded-)/;

/** RFC 9110: a token, and visible ASCII with spaces and tabs inside. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[!-~](?:[ -~\t]*[!-~])?$/;

/** What is wrong with them, or undefined. Names in any case are the same. */
export function findHeaderFault(headers: Readonly<Record<string, string>>): string | undefined {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  if (new Set(names).size < names.length) return 'must name each header once';
  for (const [name, value] of Object.entries(headers)) {
    if (!NAME.test(name)) return 'has a name that no header can have';
    if (OURS.has(name.toLowerCase()) || OUR_WORDS.test(name.toLowerCase())) return 'has a header that is not yours to set';
    if (!VALUE.test(value)) return 'has a value that no header can have: visible ASCII, with spaces inside only';
  }
  return undefined;
}
