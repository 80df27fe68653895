/**
 * The signature of requests to the KYC vendor, by vectors of its documentation
 * (docs/specification/verification.md#vendor-signature).
 */
import { describe, expect, test } from 'vitest';
import { signRequest } from '../../../src/vendors/kyc/sign-request.ts';

const keys = { appToken: 'sbx:token', secretKey: 'Hej2ch71kG2kTd1iIUDZFNsO5C1lh5Gq' };

describe('the vector', () => {
  test.each([
    [
      1607551635,
      'POST',
      '/resources/accessTokens?userId=cfd20712-24a2-4c7d-9ab0-146f3c142335&levelName=basic-kyc-level&ttlInSecs=600',
      undefined,
      '1e1856be1c1e1ff113e5664acac6b423ffefe04ad42ff36567622ef56f62c4b1',
    ],
    [
      1700000000,
      'POST',
      '/resources/accessTokens/sdk',
      '{"userId":"u1","levelName":"basic-kyc-level","ttlInSecs":600}',
      '3760a1cebfd68dfb6f43374e233c451b17a9e8eea9a7c816c2fd3a6db5d928f1',
    ],
    [
      1700000000,
      'GET',
      '/resources/applicants/5b594ade0a975a36c9349e66/status',
      undefined,
      'd0a262bd4545fb41beae0f22836b2dfb3e1e88a0804e6cabe21c6f0cb572230f',
    ],
  ] as const)('%i %s %s', (ts, method, path, body, signature) => {
    const headers = signRequest(
      keys,
      { method, path, body: body === undefined ? undefined : Buffer.from(body) },
      new Date(ts * 1000 + 999),
    );
    expect(headers).toEqual({ 'x-app-token': 'sbx:token', 'x-app-access-ts': String(ts), 'x-app-access-sig': signature });
  });
});
