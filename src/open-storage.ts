/** From the configuration to where documents are kept and what looks through them. */
import path from 'node:path';
import type { Config } from './config.ts';
import { metered, type NoteCall } from './outgoing/call-meter.ts';
import { createClamdScanner } from './vendors/malware/clamd.ts';
import type { MalwareScanner } from './vendors/malware/malware-scanner.ts';
import { noScanner } from './vendors/malware/none.ts';
import type { DiskStorage } from './vendors/storage/local-disk.ts';
import { createDiskStorage } from './vendors/storage/local-disk.ts';
import { MAX_DOCUMENT_BYTES, type ObjectStorage } from './vendors/storage/object-storage.ts';
import { createUploadLinks, type UploadLinks } from './vendors/storage/upload-links.ts';

export interface DocumentStore {
  storage: ObjectStorage;
  scanner: MalwareScanner;
  /** Of the URLs that documents are loaded from; undefined where it is our own, or where no URL can be signed. */
  origin: string | undefined;
  /** Of disk storage, whose URLs are ours. */
  diskUploads: { storage: DiskStorage; links: UploadLinks; maxBytes: number } | undefined;
}

/** Of an object storage, what goes to it; signing a URL does not. */
const STORAGE_CALLS = ['read', 'write', 'writePieces', 'remove'] as const;

/** `noteCall` is told of calls to a bucket and to clamd. */
export async function openDocumentStore(config: Config, baseUrl: () => string, noteCall?: NoteCall): Promise<DocumentStore> {
  const scanner = openMalwareScanner(config, noteCall);
  if (config.OBJECT_STORAGE === 's3') {
    const { S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config;
    const keyed = S3_ACCESS_KEY_ID !== undefined && S3_SECRET_ACCESS_KEY !== undefined;
    // The SDK is loaded where there is a bucket.
    const { createS3Storage } = await import('./vendors/storage/s3.ts');
    const storage = createS3Storage({
      bucket: S3_BUCKET ?? '',
      region: config.S3_REGION,
      endpoint: config.S3_ENDPOINT,
      credentials: keyed ? { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY } : undefined,
      forcePathStyle: config.S3_FORCE_PATH_STYLE === 'true',
      encryption: config.S3_SSE,
    });
    const origin = await storage.signedOrigin().catch(() => undefined);
    return { storage: metered(storage, 's3', noteCall, STORAGE_CALLS), scanner, origin, diskUploads: undefined };
  }
  const links = createUploadLinks(config.secrets.apiKeyPepper);
  const storage = createDiskStorage({ folder: path.join(config.DATA_DIR, 'objects'), links, baseUrl });
  return { storage, scanner, origin: undefined, diskUploads: { storage, links, maxBytes: MAX_DOCUMENT_BYTES } };
}

function openMalwareScanner(config: Config, noteCall: NoteCall | undefined): MalwareScanner {
  return config.MALWARE_SCANNER === 'clamd'
    ? metered(createClamdScanner({ host: config.CLAMD_HOST, port: config.CLAMD_PORT }), 'clamd', noteCall)
    : noScanner;
}
