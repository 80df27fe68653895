/** A throw-away TLS certificate, signed by itself, in DER by hand: nothing else is needed to make one. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface TestCertificate {
  /** PEM, both; a client trusts the server that has it when `cert` is among its authorities. */
  key: string;
  cert: string;
}

const DAY_MS = 86_400_000;

function der(tag: number, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  const length = body.length < 0x80 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const utcTime = (at: number): Buffer => der(0x17, `${new Date(at).toISOString().replace(/\D/g, '').slice(2, 14)}Z`);

/** For host names and for 127.0.0.1; good for a month. */
export function makeTestCertificate(hosts: readonly string[], { expired = false } = {}): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
  // A name of its own: an authority is looked for by it.
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, `test ${randomBytes(8).toString('hex')}`))));
  const names = [...hosts.map((host) => der(0x82, host)), der(0x87, Buffer.from([127, 0, 0, 1]))];
  const start = Date.now() - (expired ? 60 : 1) * DAY_MS;
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    sequence(utcTime(start), utcTime(start + 30 * DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(oid('551d11'), der(0x04, sequence(...names))))),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const certificate = sequence(body, ecdsaWithSha256, signature);
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`,
  };
}
