/** A bucket of AWS S3 or of a service that speaks its protocol. Source: docs/specification/verification.md#signed-urls. */
import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  type ServerSideEncryption,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { apart } from '../../apart.ts';
import { attachmentNamed } from './content-disposition.ts';
import { type ObjectStorage, storageFault } from './object-storage.ts';

export interface S3Settings {
  bucket: string;
  region: string;
  /** Undefined: AWS. */
  endpoint: string | undefined;
  /** Undefined: the default chain of the SDK. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  forcePathStyle: boolean;
  encryption: ServerSideEncryption | undefined;
}

const CONNECT_MS = 2_000;
/** Without a byte coming or going. */
const SILENCE_MS = 10_000;
/** The SDK repeats what may be repeated, with growing pauses. */
const ATTEMPTS = 3;
const REMOVED_AT_ONCE = 10;
/** A part has at least 5 MiB, but for the last, and an object at most 10,000 parts: 78 GiB. Two are held at a time. */
const PART_BYTES = 8 * 1024 * 1024;

/** The presigner leaves content-type out unless it is named here, and then takes any. */
const SIGNED_HEADERS = ['host', 'content-type', 'content-length'];
const UNWRITABLE = 'The document storage cannot be written now';
const SSE_HEADER = 'x-amz-server-side-encryption';

export interface S3Storage extends ObjectStorage {
  /**
   * The origin of the URLs that it signs, which the SDK makes of bucket, region, endpoint and its own settings. Nothing is
   * asked for it. Throws where nothing can be signed with such settings.
   */
  signedOrigin(): Promise<string>;
}

function openClient(settings: S3Settings, more: Pick<S3ClientConfig, 'disableS3ExpressSessionAuth'> = {}): S3Client {
  return new S3Client({
    ...more,
    region: settings.region,
    forcePathStyle: settings.forcePathStyle,
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
    // Else a checksum of no bytes is signed into the URL, and stores that check it refuse every file.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(settings.endpoint === undefined ? {} : { endpoint: settings.endpoint }),
    ...(settings.credentials === undefined ? {} : { credentials: settings.credentials }),
  });
}

export function createS3Storage(settings: S3Settings): S3Storage {
  const { bucket: Bucket, encryption } = settings;
  const client = openClient(settings);
  const sse = encryption === undefined ? {} : { ServerSideEncryption: encryption };

  async function write(key: string, content: Buffer, mimeType: string): Promise<void> {
    const command = new PutObjectCommand({ Bucket, Key: key, Body: content, ContentType: mimeType, ...sse });
    await attempt(UNWRITABLE, () => client.send(command));
  }

  /** Nothing of it can be read before it is complete. */
  async function beginUpload(Key: string, ContentType: string): Promise<PartedUpload> {
    const target = { Bucket, Key };
    const { UploadId } = await attempt(UNWRITABLE, () =>
      client.send(new CreateMultipartUploadCommand({ ...target, ContentType, ...sse })),
    );
    const Parts: CompletedPart[] = [];
    return {
      async add(Body) {
        const PartNumber = Parts.length + 1;
        const { ETag } = await attempt(UNWRITABLE, () =>
          client.send(new UploadPartCommand({ ...target, UploadId, PartNumber, Body })),
        );
        Parts.push({ ETag, PartNumber });
      },
      async complete() {
        const command = new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts } });
        await attempt(UNWRITABLE, () => client.send(command));
      },
      async abort() {
        // Where that fails, too, the parts stay until the bucket's own rule removes them.
        await client.send(new AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => undefined);
      },
    };
  }

  return {
    async createUpload({ key, mimeType, size, expiresInSeconds }) {
      const command = new PutObjectCommand({
        Bucket,
        Key: key,
        ContentType: mimeType,
        ...(size === undefined ? {} : { ContentLength: size }),
        ...sse,
      });
      const url = await attempt('No upload can be prepared now', () =>
        getSignedUrl(client, command, {
          expiresIn: expiresInSeconds,
          signableHeaders: new Set(encryption === undefined ? SIGNED_HEADERS : [...SIGNED_HEADERS, SSE_HEADER]),
          unhoistableHeaders: new Set([SSE_HEADER]),
        }),
      );
      const headers = { 'Content-Type': mimeType, ...(encryption === undefined ? {} : { [SSE_HEADER]: encryption }) };
      return { url, method: 'PUT', headers };
    },

    createDownloadUrl({ key, fileName, expiresInSeconds }) {
      const command = new GetObjectCommand({
        Bucket,
        Key: key,
        ResponseContentDisposition: attachmentNamed(fileName),
        ResponseContentType: 'application/octet-stream',
        ResponseCacheControl: 'no-store',
      });
      return attempt('No download can be prepared now', () => getSignedUrl(client, command, { expiresIn: expiresInSeconds }));
    },

    read(key) {
      return attempt('The document storage cannot be read now', async () => {
        try {
          const { Body, ContentLength, ContentType } = await client.send(new GetObjectCommand({ Bucket, Key: key }));
          if (Body === undefined || ContentLength === undefined) throw new Error('the answer has no body or no length');
          return { size: ContentLength, mimeType: ContentType ?? '', content: Body as Readable };
        } catch (error) {
          if (error instanceof NoSuchKey) return undefined;
          throw error;
        }
      });
    },

    write,

    async writePieces(key, pieces, mimeType) {
      let upload: PartedUpload | undefined;
      try {
        for await (const part of partsOf(pieces)) {
          if (upload === undefined && part.last) return await write(key, part.bytes, mimeType);
          if (part.bytes.length === 0) break;
          upload ??= await beginUpload(key, mimeType);
          await upload.add(part.bytes);
        }
        await upload?.complete();
      } catch (error) {
        await upload?.abort();
        throw error;
      }
    },

    /** One by one: deletion of many wants a digest that services disagree on. */
    async remove(keys) {
      for (let first = 0; first < keys.length; first += REMOVED_AT_ONCE) {
        const some = keys.slice(first, first + REMOVED_AT_ONCE);
        await attempt('Documents cannot be removed now', () =>
          Promise.all(some.map((Key) => client.send(new DeleteObjectCommand({ Bucket, Key })))),
        );
      }
    },

    /** Keys of nobody sign it: a machine's own may not be there yet, and no origin depends on whose they are. */
    async signedOrigin() {
      const credentials = { accessKeyId: 'nobody', secretAccessKey: 'nothing' };
      // Else a directory bucket is asked for a session.
      const signer = openClient({ ...settings, credentials }, { disableS3ExpressSessionAuth: true });
      try {
        return new URL(await getSignedUrl(signer, new GetObjectCommand({ Bucket, Key: 'origin' }))).origin;
      } finally {
        signer.destroy();
      }
    },

    close: () => client.destroy(),
  };
}

interface PartedUpload {
  add(bytes: Buffer): Promise<void>;
  complete(): Promise<void>;
  abort(): Promise<void>;
}

/** The pieces joined to parts; the last is what is left, if only nothing. */
async function* partsOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<{ bytes: Buffer; last: boolean }> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    size += piece.length;
    if (size < PART_BYTES) continue;
    const bytes = Buffer.concat(waiting);
    waiting = [];
    size = 0;
    yield { bytes, last: false };
  }
  yield { bytes: Buffer.concat(waiting), last: true };
}

/** What the service says is for the log; the caller is told that it does not work. */
async function attempt<T>(message: string, run: () => Promise<T>): Promise<T> {
  try {
    return await apart(run);
  } catch (error) {
    throw storageFault(message, error);
  }
}
