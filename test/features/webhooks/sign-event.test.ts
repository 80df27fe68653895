/** Signatures (docs/specification/webhooks.md#signature), taken by the official package of Standard Webhooks. */
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signatureHeaders, withOwnHeaders } from '../../../src/features/webhooks/sending/sign-event.ts';
import { newWebhookSecret } from '../../support/webhooks/plant-webhooks.ts';

const id = '019acd5e-0000-7000-8000-000000000001';
const body = Buffer.from('{"name":"Zoë 🦊"}');

test('the official package makes the same signature', () => {
  const secret = newWebhookSecret();
  const at = new Date();
  const headers = signatureHeaders({ id, body, at }, [secret]);
  expect(headers['webhook-signature']).toBe(new Webhook(secret).sign(id, at, body.toString()));
  expect(new Webhook(secret).verify(body, headers)).toEqual({ name: 'Zoë 🦊' });
});

test('both secrets of an overlap verify, and no other', () => {
  const secrets = [newWebhookSecret(), newWebhookSecret()];
  const headers = signatureHeaders({ id, body, at: new Date() }, secrets);
  expect(headers['webhook-signature']).toMatch(/^v1,[^ ]+ v1,[^ ]+$/);
  for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual({ name: 'Zoë 🦊' });
  expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow(/matching/);
});

test.each(['webhook-id', 'webhook-timestamp'])('another %s is not what was signed', (name) => {
  const secret = newWebhookSecret();
  const headers = signatureHeaders({ id, body, at: new Date() }, [secret]);
  const other = name === 'webhook-id' ? 'another' : String(Number(headers['webhook-timestamp']) + 1);
  expect(() => new Webhook(secret).verify(body, { ...headers, [name]: other })).toThrow(/matching/);
});

test('own headers stand in for none that the service sends, in whatever case', () => {
  expect(
    withOwnHeaders(
      { 'webhook-id': id, 'content-type': 'application/json' },
      { 'Webhook-Id': 'x', 'CONTENT-TYPE': 'y', 'X-Shop': 'z' },
    ),
  ).toEqual({
    'webhook-id': id,
    'content-type': 'application/json',
    'x-shop': 'z',
  });
});
