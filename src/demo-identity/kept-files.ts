/** What the local identity provider keeps in DATA_DIR, private: its certificate, its signing key and its port. */
import { generateKeyPairSync, webcrypto } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
// The library of certificates does not bring it, and refuses to load without.
// oxlint-disable-next-line import/no-unassigned-import
import 'reflect-metadata';
import { PemConverter, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';

interface Kept {
  /** Its `iss` has the port, and stays once members have come. */
  port: number;
  jwk: object;
  key: string;
  cert: string;
  certificateFile: string;
}

const DAY_MS = 86_400_000;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Makes what is not there yet, and the certificate anew when it ends within a day. */
export async function keepFiles(dataDir: string, wishedPort: number): Promise<Kept> {
  const folder = path.join(dataDir, 'demo-idp');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const at = (name: string): string => path.join(folder, name);
  if (!existsSync(at('provider.json'))) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'demo', use: 'sig', alg: 'RS256' };
    writePrivate(at('provider.json'), JSON.stringify({ port: wishedPort, jwk }));
  }
  if (!existsSync(at('tls.json')) || readTls(at('tls.json')).endsAt < Date.now() + DAY_MS) {
    writePrivate(at('tls.json'), JSON.stringify(await makeCertificate()));
  }
  const { key, cert } = readTls(at('tls.json'));
  writePrivate(at('certificate.pem'), cert);
  const provider = JSON.parse(readFileSync(at('provider.json'), 'utf8')) as Pick<Kept, 'port' | 'jwk'>;
  return { ...provider, key, cert, certificateFile: path.resolve(at('certificate.pem')) };
}

function readTls(file: string): Pick<Kept, 'key' | 'cert'> & { endsAt: number } {
  return JSON.parse(readFileSync(file, 'utf8')) as Pick<Kept, 'key' | 'cert'> & { endsAt: number };
}

function writePrivate(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Signed by itself, for 127.0.0.1 alone, for thirty days. */
async function makeCertificate(): Promise<Pick<Kept, 'key' | 'cert'> & { endsAt: number }> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const endsAt = Date.now() + 30 * DAY_MS;
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=demo identity provider',
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(endsAt),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])],
  });
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { key: PemConverter.encode(pkcs8, 'PRIVATE KEY'), cert: certificate.toString('pem'), endsAt };
}
