/** The vendor's digests. Source of the vectors: RFC 4231; the rule is docs/specification/webhooks.md#kyc-signature. */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { WebhookSecrets } from '../../../src/features/kyc/vendor/kyc-settings.ts';
import { findSigners } from '../../../src/features/kyc/vendor/verify-digest.ts';

const ALL = ['HMAC_SHA256_HEX', 'HMAC_SHA512_HEX', 'HMAC_SHA1_HEX'];
const live = (secrets: string[], allowedDigestAlgs = ALL): WebhookSecrets => ({
  environment: 'LIVE',
  secrets,
  allowedDigestAlgs,
  clientId: null,
});
const sandbox = (secrets: string[], allowedDigestAlgs = ALL): WebhookSecrets => ({
  ...live(secrets, allowedDigestAlgs),
  environment: 'SANDBOX',
});

const KEY = 'SoMe_SeCrEt_KeY';
const SHA256 = '7f3beedce7529616a9d6bba59dc1b054a7247cef67f6acff2600864399f47fe0';
const SHA512 =
  '3aae08986027051ca0656d87c4c95f1f15d3ecaf23cf239e5a43fd03a8af28223a06be1f97624caefd55475c84673773dc10e895a1ab885a3548c58bd7af9ebf';
const SHA1 = 'f6e92ffe371718694d46e28436f76589312df8db';
const someText = Buffer.from('someText');

describe("the vendor's vectors", () => {
  test.each([
    [KEY, 'someText', 'HMAC_SHA1_HEX', SHA1],
    [KEY, 'someText', 'HMAC_SHA256_HEX', SHA256],
    [KEY, 'someText', 'HMAC_SHA512_HEX', SHA512],
    [
      'Jefe',
      'what do ya want for nothing?',
      'HMAC_SHA256_HEX',
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
  ])('%s, %s, %s', (secret, text, algorithm, digest) => {
    const rawBody = Buffer.from(text);
    expect(findSigners([live([secret])], { rawBody, digest, algorithm })).toEqual(['LIVE']);
    expect(findSigners([live([secret])], { rawBody, digest: digest.toUpperCase(), algorithm })).toEqual(['LIVE']);
    expect(findSigners([live([`${secret}x`])], { rawBody, digest, algorithm })).toEqual([]);
    const changed = Buffer.concat([rawBody, Buffer.from(' ')]);
    expect(findSigners([live([secret])], { rawBody: changed, digest, algorithm })).toEqual([]);
  });
});

describe('the algorithm', () => {
  test('is SHA-256 when the vendor does not say', () => {
    expect(findSigners([live([KEY])], { rawBody: someText, digest: SHA256, algorithm: undefined })).toEqual(['LIVE']);
    expect(findSigners([live([KEY])], { rawBody: someText, digest: SHA512, algorithm: undefined })).toEqual([]);
  });

  test.each(['', 'hmac_sha256_hex', 'HMAC_MD5_HEX', 'HMAC_SHA256_HEX, HMAC_SHA256_HEX', 'constructor', ' HMAC_SHA256_HEX'])(
    '%j is none',
    (algorithm) => {
      expect(findSigners([live([KEY])], { rawBody: someText, digest: SHA256, algorithm })).toEqual([]);
    },
  );

  test('must be one that the environment allows, whatever the header says', () => {
    const given = { rawBody: someText, digest: SHA1, algorithm: 'HMAC_SHA1_HEX' };
    expect(findSigners([live([KEY], ALL.slice(0, 2)), sandbox([KEY])], given)).toEqual(['SANDBOX']);
    expect(findSigners([live([KEY], ALL.slice(0, 2))], given)).toEqual([]);
  });

  test('is not another one under the same label', () => {
    expect(findSigners([live([KEY])], { rawBody: someText, digest: SHA512, algorithm: 'HMAC_SHA256_HEX' })).toEqual([]);
    expect(findSigners([live([KEY])], { rawBody: someText, digest: SHA256, algorithm: 'HMAC_SHA512_HEX' })).toEqual([]);
  });
});

test.each([
  undefined,
  '',
  SHA256.slice(1),
  SHA256.slice(2),
  `${SHA256}00`,
  `${SHA256}, ${SHA256}`,
  ` ${SHA256}`,
  `sha256=${SHA256}`,
  `${SHA256.slice(2)}zz`,
  Buffer.from(SHA256, 'hex').toString('base64'),
])('the digest %j is none', (digest) => {
  expect(findSigners([live([KEY])], { rawBody: someText, digest, algorithm: 'HMAC_SHA256_HEX' })).toEqual([]);
});

test('each environment is found by any secret of its own, present or previous', () => {
  const digestOf = (secret: string) => createHmac('sha256', secret).update(someText).digest('hex');
  const of = (secret: string) =>
    findSigners([live(['live', 'old']), sandbox(['sandbox', 'both', 'live'])], {
      rawBody: someText,
      digest: digestOf(secret),
      algorithm: undefined,
    });
  expect([of('old'), of('sandbox'), of('live'), of('none')]).toEqual([['LIVE'], ['SANDBOX'], ['LIVE', 'SANDBOX'], []]);
});

test('no tenant and no secrets sign nothing', () => {
  const given = { rawBody: someText, digest: SHA256, algorithm: undefined };
  expect(findSigners([], given)).toEqual([]);
  expect(findSigners([live([])], given)).toEqual([]);
});
