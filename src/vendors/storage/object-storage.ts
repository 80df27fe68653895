/** Where documents are kept: a bucket of an S3-compatible service, or a folder of the embedded default. */
import type { Readable } from 'node:stream';

/** What somebody needs to send one object's bytes. */
export interface UploadTarget {
  url: string;
  method: 'PUT';
  /** To be sent as they are: the URL is signed for them. */
  headers: Record<string, string>;
}

export interface UploadTerms {
  key: string;
  mimeType: string;
  /** Exactly so many bytes; undefined: whatever the storage takes, to be checked afterwards. */
  size: number | undefined;
  expiresInSeconds: number;
}

export interface StoredObject {
  size: number;
  mimeType: string;
  /** Names this content: another write to the key gives another. */
  version: string;
}

/** Every method throws SERVICE_UNAVAILABLE when the storage does not work. Keys are made by us, never by a caller. */
export interface ObjectStorage {
  createUpload(terms: UploadTerms): Promise<UploadTarget>;
  /** A URL for a browser: it saves the object under `fileName` and never shows it. */
  createDownloadUrl(terms: { key: string; fileName: string; expiresInSeconds: number }): Promise<string>;
  /** Undefined: there is no such object. */
  head(key: string): Promise<StoredObject | undefined>;
  /** The content of this version; undefined when it is gone or another. */
  read(key: string, version: string): Promise<Readable | undefined>;
  /** Copies this version. False when it is gone or another. */
  copy(from: { key: string; version: string }, to: string): Promise<boolean>;
  /** Keys that are gone already count as removed. */
  remove(keys: readonly string[]): Promise<void>;
}
