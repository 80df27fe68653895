/** From the bytes a member has sent to the certainty that they are what the member says, and harmless. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { createGate } from '../../../db/pool-queue.ts';
import { invalidField } from '../../../errors.ts';
import type { MalwareScanner, ScanResult } from '../../../vendors/malware/malware-scanner.ts';
import {
  MAX_DOCUMENT_BYTES,
  type ObjectStorage,
  type StoredObject,
  storageFault,
} from '../../../vendors/storage/object-storage.ts';
import type { DocumentMimeType } from '../open/kyc-states.ts';
import { examineContent } from './examine-content.ts';

/** Documents that one process holds in memory at a time, at most MAX_DOCUMENT_BYTES each. */
const PLACES = 4;
const STALLED_MS = 10_000;
const LONGEST_WAIT_MS = 20_000;

export interface CheckedUpload {
  content: Buffer;
  sha256: Buffer;
  scan: ScanResult;
}

export interface UploadClaim {
  key: string;
  mimeType: DocumentMimeType;
  fileSize: number;
}

/**
 * 400 naming the field that the upload belies; SERVICE_UNAVAILABLE while the storage or the scanner is
 * away. `use` gets what was checked, malware too, while it counts as held in memory.
 */
export type CheckUpload = <T>(claim: UploadClaim, use: (checked: CheckedUpload) => Promise<T>) => Promise<T>;

export function createUploadCheck({ storage, scanner }: { storage: ObjectStorage; scanner: MalwareScanner }): CheckUpload {
  const gate = createGate({
    places: PLACES,
    stalledMs: STALLED_MS,
    longestWaitMs: LONGEST_WAIT_MS,
    refusal: 'Too many documents are being checked now',
  });

  async function check({ key, mimeType, fileSize }: UploadClaim): Promise<CheckedUpload> {
    const stored = await storage.read(key);
    if (!stored) throw invalidField('filePath', 'names an upload to which nothing was sent');
    const fault = compare(stored, { mimeType, fileSize });
    if (fault) {
      stored.content.destroy();
      throw fault;
    }
    const content = await readWhole(stored);
    const wrong = await examineContent(content, mimeType);
    if (wrong !== undefined) throw invalidField('filePath', wrong);
    return { content, sha256: createHash('sha256').update(content).digest(), scan: await scanner.scan(content) };
  }

  return async (claim, use) => {
    await gate.enter();
    try {
      return await use(await check(claim));
    } finally {
      gate.leave();
    }
  };
}

function compare(stored: StoredObject, { mimeType, fileSize }: Omit<UploadClaim, 'key'>): Error | undefined {
  if (stored.size === 0) return invalidField('filePath', 'names an upload of no bytes');
  if (stored.size > MAX_DOCUMENT_BYTES) return invalidField('filePath', 'names an upload of more than 10 MiB');
  if (stored.size !== fileSize) return invalidField('fileSize', `is not that of the upload, which has ${stored.size} bytes`);
  if (stored.mimeType !== mimeType) return invalidField('mimeType', 'is not that of the upload');
  return undefined;
}

async function readWhole({ size, content }: StoredObject): Promise<Buffer> {
  const bytes = await gather(content).catch((error: unknown) => {
    throw storageFault('The document storage cannot be read now', error);
  });
  if (bytes.length !== size) throw storageFault('The document storage cannot be read now', new Error('an object broke off'));
  return bytes;
}

async function gather(content: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
