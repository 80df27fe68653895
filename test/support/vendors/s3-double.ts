/**
 * S3 in memory, as far as the service uses it, that refuses what S3 refuses: every signature is worked out
 * anew (SigV4, in the query or in a header), with its expiry and every header it names.
 */
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface S3Double {
  url: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Bucket and key, `/bucket/key`. */
  objects: Map<string, { body: Buffer; headers: Record<string, string> }>;
  /** Parts of what is not complete, by the id of the upload. */
  uploads: Map<string, { name: string; headers: Record<string, string>; parts: Map<number, Buffer> }>;
  /** `METHOD /bucket/key` of every request. */
  requests: string[];
  /** Lets pages of this origin read what they load (CORS); undefined, as at first: of none. */
  letRead(origin: string | undefined): void;
  /** Answers what comes with this status; undefined ends it. */
  failWith(status: number | undefined): void;
  close(): Promise<void>;
}

interface Signature {
  credential: string;
  date: string;
  signedHeaders: string;
  signature: string;
  expiresSeconds: number | undefined;
  payloadHash: string;
}

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
  }
}

const LOWEST_PART = 5 * 1024 * 1024;
const SKEW_MS = 15 * 60_000;
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
const percentEncode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

export async function startS3Double(): Promise<S3Double> {
  const secretAccessKey = 'testing';
  const accessKeyId = 'test';
  const objects: S3Double['objects'] = new Map();
  const uploads: S3Double['uploads'] = new Map();
  const requests: string[] = [];
  let failure: number | undefined;
  let readers: string | undefined;

  const server = createServer((req, res) => {
    // As MinIO has it.
    res.setHeader('x-content-type-options', 'nosniff');
    if (readers !== undefined && req.method === 'GET' && req.headers.origin === readers) {
      res.setHeader('access-control-allow-origin', readers);
      res.setHeader('vary', 'Origin');
    }
    void answer(req, res).catch((error: unknown) => {
      const status = error instanceof Refusal ? error.status : 500;
      const code = error instanceof Error ? error.message : 'InternalError';
      res.writeHead(status, { 'content-type': 'application/xml' });
      res.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
    });
  });

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const part of req) chunks.push(part as Buffer);
    const body = Buffer.concat(chunks);
    const url = new URL(req.url ?? '', 'http://s3');
    const name = decodeURIComponent(url.pathname);
    requests.push(`${req.method} ${name}`);
    if (failure !== undefined) throw new Refusal(failure, 'ServiceUnavailable');
    verify(req, url, body, { accessKeyId, secretAccessKey });
    const kept = ['content-type', 'x-amz-server-side-encryption'].filter((header) => req.headers[header] !== undefined);
    const keptHeaders = Object.fromEntries(kept.map((header) => [header, String(req.headers[header])]));
    if (url.searchParams.has('uploads') || url.searchParams.has('uploadId')) {
      answerUpload(req, res, { url, name, body, headers: keptHeaders });
      return;
    }
    if (req.method === 'PUT') {
      objects.set(name, { body, headers: keptHeaders });
      res.end();
      return;
    }
    if (req.method === 'DELETE') {
      objects.delete(name);
      res.writeHead(204).end();
      return;
    }
    const stored = objects.get(name);
    if (!stored) throw new Refusal(404, 'NoSuchKey');
    const asked = [...url.searchParams].filter(([key]) => key.startsWith('response-'));
    const headers = Object.fromEntries(asked.map(([key, value]) => [key.slice('response-'.length), value]));
    res.writeHead(200, { ...stored.headers, ...headers, 'content-length': stored.body.length });
    res.end(stored.body);
  }

  /** An object in parts: begun, sent, made whole or given up. */
  function answerUpload(
    req: IncomingMessage,
    res: ServerResponse,
    { url, name, body, headers }: { url: URL; name: string; body: Buffer; headers: Record<string, string> },
  ): void {
    if (req.method === 'POST' && url.searchParams.has('uploads')) {
      const begun = randomUUID();
      uploads.set(begun, { name, headers, parts: new Map() });
      res.end(`<InitiateMultipartUploadResult><UploadId>${begun}</UploadId></InitiateMultipartUploadResult>`);
      return;
    }
    const id = url.searchParams.get('uploadId') ?? '';
    const upload = uploads.get(id);
    if (upload?.name !== name) throw new Refusal(404, 'NoSuchUpload');
    if (req.method === 'PUT') {
      upload.parts.set(Number(url.searchParams.get('partNumber')), body);
      res.setHeader('etag', `"${sha256(body)}"`);
      res.end();
    } else if (req.method === 'POST') {
      const named = [...body.toString().matchAll(/<ETag>(.*?)<\/ETag><PartNumber>(\d+)<\/PartNumber>/g)];
      const parts = named.map(([, etag = '', number = '']) => {
        const part = upload.parts.get(Number(number));
        if (!part || etag.replaceAll('&quot;', '"') !== `"${sha256(part)}"`) throw new Refusal(400, 'InvalidPart');
        return part;
      });
      if (parts.length !== upload.parts.size || parts.length === 0) throw new Refusal(400, 'InvalidPart');
      if (parts.slice(0, -1).some(({ length }) => length < LOWEST_PART)) throw new Refusal(400, 'EntityTooSmall');
      uploads.delete(id);
      objects.set(name, { body: Buffer.concat(parts), headers: upload.headers });
      res.end('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>');
    } else {
      uploads.delete(id);
      res.writeHead(204).end();
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accessKeyId,
    secretAccessKey,
    objects,
    uploads,
    requests,
    letRead(origin) {
      readers = origin;
    },
    failWith(status) {
      failure = status;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function verify(req: IncomingMessage, url: URL, body: Buffer, keys: { accessKeyId: string; secretAccessKey: string }): void {
  const { credential, date, signedHeaders, signature, expiresSeconds, payloadHash } = signatureOf(req, url);
  const [id, day = '', region = '', service = '', end = ''] = credential.split('/');
  if (id !== keys.accessKeyId) throw new Refusal(403, 'InvalidAccessKeyId');
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  const late = expiresSeconds === undefined ? Math.abs(Date.now() - at) > SKEW_MS : Date.now() > at + expiresSeconds * 1000;
  if (late || !(at < Date.now() + SKEW_MS)) throw new Refusal(403, 'AccessDenied');
  if (/^[0-9a-f]{64}$/.test(payloadHash) && payloadHash !== sha256(body)) throw new Refusal(400, 'XAmzContentSHA256Mismatch');
  const query = [...url.searchParams]
    .filter(([key]) => key !== 'X-Amz-Signature')
    .map(([key, value]) => `${percentEncode(key)}=${percentEncode(value)}`)
    .toSorted()
    .join('&');
  const path = url.pathname
    .split('/')
    .map((part) => percentEncode(decodeURIComponent(part)))
    .join('/');
  const headers = signedHeaders.split(';').map((name) => `${name}:${String(req.headers[name] ?? '').trim()}\n`);
  const request = [req.method, path, query, headers.join(''), signedHeaders, payloadHash].join('\n');
  const scope = [day, region, service, end].join('/');
  const key = [region, service, end].reduce<Buffer>(hmac, hmac(`AWS4${keys.secretAccessKey}`, day));
  const expected = hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha256(request)].join('\n'));
  const given = Buffer.from(signature, 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Refusal(403, 'SignatureDoesNotMatch');
}

function signatureOf(req: IncomingMessage, url: URL): Signature {
  const query = url.searchParams;
  if (query.has('X-Amz-Signature')) {
    return {
      credential: query.get('X-Amz-Credential') ?? '',
      date: query.get('X-Amz-Date') ?? '',
      signedHeaders: query.get('X-Amz-SignedHeaders') ?? '',
      signature: query.get('X-Amz-Signature') ?? '',
      expiresSeconds: Number(query.get('X-Amz-Expires')),
      payloadHash: query.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD',
    };
  }
  const pattern = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)$/;
  const [, credential, signedHeaders, signature] = pattern.exec(req.headers.authorization ?? '') ?? [];
  if (credential === undefined || signedHeaders === undefined || signature === undefined) throw new Refusal(403, 'AccessDenied');
  const date = String(req.headers['x-amz-date']);
  const payloadHash = String(req.headers['x-amz-content-sha256']);
  return { credential, date, signedHeaders, signature, expiresSeconds: undefined, payloadHash };
}
