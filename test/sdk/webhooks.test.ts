/** Events verified by the library, as the service signs them (https://www.standardwebhooks.com). */
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { webhooks } from '../../packages/sdk/src/index.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const secret = newSecret();
const body = JSON.stringify({ id: 'e-1', type: 'member.created', data: { name: 'Zoë' } });

function signed(by: string[], at = new Date(), text = body): Record<string, string> {
  return {
    'webhook-id': 'e-1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': by.map((one) => new Webhook(one).sign('e-1', at, text)).join(' '),
  };
}

test('a good one is read, from text, bytes, a plain object or the headers of fetch', () => {
  expect(webhooks.verify(body, signed([secret]), secret).type).toBe('member.created');
  expect(webhooks.verify(Buffer.from(body), new Headers(signed([secret])), secret).type).toBe('member.created');
  const capitals = Object.fromEntries(Object.entries(signed([secret])).map(([name, value]) => [name.toUpperCase(), [value]]));
  expect(webhooks.verify(body, capitals, secret).type).toBe('member.created');
});

test('during a rotation either secret is good', () => {
  const next = newSecret();
  const both = signed([next, secret]);
  expect(webhooks.verify(body, both, secret).id).toBe('e-1');
  expect(webhooks.verify(body, both, next).id).toBe('e-1');
  expect(webhooks.verify(body, signed([secret]), next, { oldSecrets: [secret] }).id).toBe('e-1');
});

test.each([
  ['by another secret', body, signed([newSecret()])],
  ['of another body', body.replace('Zoë', 'Zoe'), signed([secret])],
  ['of six minutes ago', body, signed([secret], new Date(Date.now() - 360_000))],
  ['of six minutes ahead', body, signed([secret], new Date(Date.now() + 360_000))],
  ['without headers', body, {}],
  ['without a signature', body, { ...signed([secret]), 'webhook-signature': '' }],
])('one %s is refused', (_what, text, headers) => {
  expect(() => webhooks.verify(text, headers, secret)).toThrow();
});
