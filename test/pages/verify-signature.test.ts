/** The helper for receivers, on what the sender really signs. */
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { signatureHeaders } from '../../src/features/webhooks/sending/sign-event.ts';
import { verifySignature } from '../../src/pages/browser/verify-signature.ts';
import { newWebhookSecret } from '../support/webhooks/plant-webhooks.ts';

const ID = '019a5c3e-0000-7000-8000-000000000001';
const AT = new Date('2026-11-22T08:00:00Z');
const NOW = AT.getTime() / 1000 + 60;
const SECRET = newWebhookSecret();
const BODY = JSON.stringify({ id: ID, type: 'member.created', data: { name: 'Zoë "Z" 🙂', amount: 1.5 } });

const sign = (secrets: readonly string[] = [SECRET], body = BODY): Record<string, string> =>
  signatureHeaders({ id: ID, body: Buffer.from(body), at: AT }, secrets);
const linesOf = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
const RIGHT = { headers: linesOf(sign()), body: BODY, secret: SECRET };

const verdict = async (change: Partial<typeof RIGHT> = {}, now = NOW): Promise<string> => {
  const { ok, what, said } = await verifySignature({ ...RIGHT, ...change }, now);
  expect(ok).toBe(what === 'verified');
  expect(said).toMatch(/[.?]$/);
  return what;
};

test.each([
  ['as they arrived', RIGHT.headers],
  ['in another case, with others', `HTTP/1.1\nHost: shop.example\n${RIGHT.headers.replaceAll('webhook-', 'Webhook-')}\r\n`],
  ['as curl shows them', RIGHT.headers.replaceAll(/^/gm, '< ')],
  ['as JSON', JSON.stringify({ host: 'shop.example', ...sign() }, null, 2)],
  ['of an overlap, the old secret first', linesOf(sign([newWebhookSecret(), SECRET]))],
  ['of another version beside ours', RIGHT.headers.replace('v1,', 'v1a,AAAA v1,')],
])('verifies headers %s', async (_how, headers) => {
  expect(await verdict({ headers })).toBe('verified');
});

test('the secret goes without its prefix, too', async () => {
  expect(await verdict({ secret: ` ${SECRET.slice('whsec_'.length)}\n` })).toBe('verified');
});

test.each([
  [300, 'verified'],
  [301, 'too_old'],
  [-300, 'verified'],
  [-301, 'too_new'],
])('%i seconds behind the timestamp it is %s', async (seconds, what) => {
  expect(await verdict({}, AT.getTime() / 1000 + seconds)).toBe(what);
});

test.each([
  ['nothing', ''],
  ['no id', linesOf({ ...sign(), 'webhook-id': '' })],
  ['no signature', RIGHT.headers.split('\n').slice(0, 2).join('\n')],
  ['milliseconds', linesOf({ ...sign(), 'webhook-timestamp': String(AT.getTime()) })],
  ['a date', linesOf({ ...sign(), 'webhook-timestamp': AT.toISOString() })],
  ['no version', RIGHT.headers.replace('v1,', '')],
  ['a signature that was cut off', RIGHT.headers.slice(0, -9)],
  [
    'a signature in hex',
    linesOf({ ...sign(), 'webhook-signature': `v1,${createHmac('sha256', 'a').update('b').digest('hex')}` }),
  ],
])('says of %s that the headers are malformed', async (_what, headers) => {
  expect(await verdict({ headers })).toBe('malformed');
});

test.each([
  ['another secret', { secret: newWebhookSecret() }, 'wrong_secret'],
  ['a secret that is none', { secret: 'whsec_no base64!' }, 'bad_secret'],
  ['no secret', { secret: 'whsec_' }, 'bad_secret'],
  ['a line break behind the body', { body: `${BODY}\n` }, 'changed_body'],
  ['a body that was laid out anew', { body: JSON.stringify(JSON.parse(BODY), null, 2) }, 'changed_body'],
  ['a body that was cut off', { body: BODY.slice(0, -3) }, 'changed_body'],
  ['no body', { body: '' }, 'changed_body'],
  ['the body of another event', { body: BODY.replace(ID, ID.replace('019a', '019b')) }, 'other_event'],
  ['an id that was changed', { headers: RIGHT.headers.replace(ID, ID.replace('019a', '019b')) }, 'other_event'],
  // Nobody can tell it from another secret: the words say so.
  ['a value that was changed', { body: BODY.replace('1.5', '1.6') }, 'wrong_secret'],
  ['a timestamp that was changed', { headers: RIGHT.headers.replace(/timestamp: \d/, 'timestamp: 2') }, 'wrong_secret'],
] as const)('says why %s does not verify', async (_what, change, what) => {
  expect(await verdict(change)).toBe(what);
});
