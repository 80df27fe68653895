/** clamd's protocol: two verdicts count, and everything else is none (docs/specification/verification.md#malware). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createClamdScanner } from '../../src/vendors/malware/clamd.ts';
import { EICAR } from '../support/kyc/sample-documents.ts';
import { type FakeClamd, startFakeClamd } from '../support/vendors/fake-clamd.ts';

let clamd: FakeClamd;
beforeAll(async () => {
  clamd = await startFakeClamd();
});
afterAll(() => clamd.close());
beforeEach(() => {
  clamd.reply = undefined;
  clamd.scanned = [];
});

const scan = (content: Buffer, options: object = {}) =>
  createClamdScanner({ host: '127.0.0.1', port: clamd.port, ...options }).scan(content);
const unavailable = { code: 'SERVICE_UNAVAILABLE', message: 'Documents cannot be checked for malware now' };

describe('clamd', () => {
  test('sends all bytes and takes both verdicts', async () => {
    expect(await scan(Buffer.from('hello'))).toEqual({ verdict: 'clean' });
    expect(await scan(Buffer.from(`before ${EICAR} behind`))).toEqual({
      verdict: 'infected',
      signature: 'Eicar-Test-Signature',
    });
    expect(clamd.scanned.map(String)).toEqual(['hello', `before ${EICAR} behind`]);
  });

  test.each([0, 1, 65_535, 65_536, 65_537, 10 * 1024 * 1024])('sends %i bytes as they are', async (length) => {
    const content = Buffer.alloc(length, 0x61);
    expect(await scan(content)).toEqual({ verdict: 'clean' });
    expect(clamd.scanned[0]?.equals(content)).toBe(true);
  });

  test.each([
    'INSTREAM size limit exceeded. ERROR',
    'stream: OK FOUND ERROR',
    'stream: Access denied. ERROR',
    'stream: OK\0stream: Virus FOUND',
    'OK',
    'UNKNOWN COMMAND',
    '',
    'cut',
    'x'.repeat(10_000),
  ])('an answer %j is no verdict', async (reply) => {
    clamd.reply = reply;
    await expect(scan(Buffer.from('hello'))).rejects.toMatchObject(unavailable);
  });

  test('neither is silence, nor a scanner that is not there', async () => {
    clamd.reply = 'silence';
    await expect(scan(Buffer.from('hello'), { timeoutMs: 50 })).rejects.toMatchObject(unavailable);
    await expect(scan(Buffer.from('hello'), { port: 1 })).rejects.toMatchObject(unavailable);
    await expect(scan(Buffer.from('hello'), { host: 'no-such-host.invalid' })).rejects.toMatchObject(unavailable);
  });

  test('a long name of a signature is cut short', async () => {
    clamd.reply = `stream: ${'V'.repeat(500)} FOUND`;
    expect(await scan(Buffer.from('hello'))).toEqual({ verdict: 'infected', signature: 'V'.repeat(200) });
  });
});
