/** Where documents are kept: a bucket of an S3-compatible service, or a folder of the embedded default. */
import type { Readable } from 'node:stream';
import { AppError } from '../../errors.ts';

/** Bytes of one document: 10 MiB. */
export const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024;

/** What somebody needs to send one object's bytes. */
export interface UploadTarget {
  url: string;
  method: 'PUT';
  /** To be sent as they are, beside the length of the body: the URL is signed for them. */
  headers: Record<string, string>;
}

export interface UploadTerms {
  key: string;
  mimeType: string;
  /** Exactly so many bytes; undefined: whatever the storage takes, to be checked afterwards. */
  size: number | undefined;
  expiresInSeconds: number;
}

export interface DownloadTerms {
  key: string;
  /** As the browser is to save it: any text. */
  fileName: string;
  expiresInSeconds: number;
}

/** One state of an object: what `content` brings is of this size and type, whatever is written to the key meanwhile. */
export interface StoredObject {
  size: number;
  mimeType: string;
  /** To be read to its end or destroyed. */
  content: Readable;
}

/** Every method throws SERVICE_UNAVAILABLE when the storage does not work. Keys are made by us, never by a caller. */
export interface ObjectStorage {
  createUpload(terms: UploadTerms): Promise<UploadTarget>;
  /** A URL for a browser: it saves the object under `fileName` and never shows it. */
  createDownloadUrl(terms: DownloadTerms): Promise<string>;
  /** Undefined: there is no such object. */
  read(key: string): Promise<StoredObject | undefined>;
  /** The object is there as a whole once this resolves, and not at all when it throws and was not there before. */
  write(key: string, content: Buffer, mimeType: string): Promise<void>;
  /**
   * As `write`, of any length: the pieces are asked for as they can be taken, and never held all together. What the
   * source throws is thrown as it is, and leaves nothing behind.
   */
  writePieces(key: string, pieces: AsyncIterable<Buffer>, mimeType: string): Promise<void>;
  /** Keys that are gone already count as removed. */
  remove(keys: readonly string[]): Promise<void>;
  close(): void;
}

export function storageFault(message: string, cause: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', message, { cause, retryAfterSeconds: 5 });
}
