/** /.well-known/security.txt as RFC 9116 has it (docs/operations.md#security-contact). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../../src/config.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';

const PATH = '/.well-known/security.txt';

test('a deployment without a contact names the mailbox that every domain has for this, and a time ahead', async () => {
  const app = await startTestApp({ PUBLIC_BASE_URL: 'https://api.shop.example/' });
  try {
    const { status, text } = await app.http.get(PATH);
    expect(status).toBe(200);
    const [contact, expires = ''] = text.split('\n');
    expect(contact).toBe('Contact: mailto:security@api.shop.example');
    const days = (Date.parse(expires.replace('Expires: ', '')) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(178);
    expect(days).toBeLessThanOrEqual(180);
  } finally {
    await app.close();
  }
});

describe('a deployment with a contact', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({
      SECURITY_CONTACT: 'mailto:security@shop.example, https://shop.example/report',
      SECURITY_EXPIRES: '2027-06-30T00:00:00Z',
      SECURITY_POLICY: 'https://shop.example/security',
      PUBLIC_BASE_URL: 'https://api.shop.example/',
    });
  });
  afterAll(() => app.close());

  test('says it in plain text, without a key and to anybody', async () => {
    const answer = await app.http.get(PATH);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('public, max-age=3600');
    expect(answer.text).toBe(
      [
        'Contact: mailto:security@shop.example',
        'Contact: https://shop.example/report',
        'Expires: 2027-06-30T00:00:00Z',
        'Preferred-Languages: en',
        'Canonical: https://api.shop.example/.well-known/security.txt',
        'Policy: https://shop.example/security',
        '',
      ].join('\n'),
    );
  });

  test('takes no other method', async () => {
    const answer = await app.http.post(PATH).send({});
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD']);
  });
});

test('names no address of its own that is not https', async () => {
  const app = await startTestApp({
    SECURITY_CONTACT: 'tel:+1-201-555-0123',
    SECURITY_EXPIRES: '2027-06-30T00:00:00+02:00',
    PUBLIC_BASE_URL: 'http://localhost:3000',
  });
  try {
    expect((await app.http.get(PATH)).text).toBe(
      'Contact: tel:+1-201-555-0123\nExpires: 2027-06-30T00:00:00+02:00\nPreferred-Languages: en\n',
    );
  } finally {
    await app.close();
  }
});

const good = { SECURITY_CONTACT: 'mailto:a@b.example', SECURITY_EXPIRES: '2027-06-30T00:00:00Z' };

test.each<[string, Record<string, string>]>([
  ['a contact without an end', { SECURITY_CONTACT: good.SECURITY_CONTACT }],
  ['an end without a contact', { SECURITY_EXPIRES: good.SECURITY_EXPIRES }],
  ['a contact that is no address', { ...good, SECURITY_CONTACT: 'security@shop.example' }],
  ['a contact by plain http', { ...good, SECURITY_CONTACT: 'http://shop.example/' }],
  ['a contact with a line of its own', { ...good, SECURITY_CONTACT: 'mailto:a@b.example\nPolicy:x' }],
  ['an end that is a date', { ...good, SECURITY_EXPIRES: '2027-06-30' }],
  ['an end with a line of its own', { ...good, SECURITY_EXPIRES: '2027-06-30T00:00:00Z\nPolicy: x' }],
  ['a policy by plain http', { ...good, SECURITY_POLICY: 'http://shop.example/' }],
])('the service does not start with %s', (_what, settings) => {
  const env = { DATABASE_URL: 'postgres://a@b/c', ...settings };
  expect(() => loadConfig(env, { needSecrets: false })).toThrow(ConfigError);
  expect(() => loadConfig({ DATABASE_URL: env.DATABASE_URL, ...good }, { needSecrets: false })).not.toThrow();
});
