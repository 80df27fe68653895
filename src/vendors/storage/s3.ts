/** A bucket of AWS S3 or of a service that speaks its protocol. Source: vendors.md §4.1. */
import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  type ServerSideEncryption,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
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

/** The presigner leaves content-type out unless it is named here, and then takes any. */
const SIGNED_HEADERS = ['host', 'content-type', 'content-length'];
const SSE_HEADER = 'x-amz-server-side-encryption';

export function createS3Storage(settings: S3Settings): ObjectStorage {
  const { bucket: Bucket, encryption } = settings;
  const client = new S3Client({
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
  const sse = encryption === undefined ? {} : { ServerSideEncryption: encryption };

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

    async write(key, content, mimeType) {
      const command = new PutObjectCommand({ Bucket, Key: key, Body: content, ContentType: mimeType, ...sse });
      await attempt('The document storage cannot be written now', () => client.send(command));
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

    close: () => client.destroy(),
  };
}

/** What the service says is for the log; the caller is told that it does not work. */
async function attempt<T>(message: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw storageFault(message, error);
  }
}
