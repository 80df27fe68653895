/** A request's body as it comes, for what is too large to be held: bounded in size, and in how long it may pause. */
import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { AppError } from '../errors.ts';
import { liftBodyTime } from './body-time.ts';
import type { ByteStream, FileType } from './operation.ts';
import { isUtf8Type } from './wire-guard.ts';

/** A sender that says nothing for so long is cut off. */
const IDLE_MS = 30_000;

export interface OpenedStream extends ByteStream {
  /** SHA-256 in hexadecimal of all of it, once it has been read. */
  digest(): string;
  /** For when it is not read on: what is still to come is dropped, or the connection is closed. */
  drop(error: unknown): void;
}

/** UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE. Reading throws BODY_TOO_LARGE and REQUEST_TIMEOUT. */
export function openByteStream(
  req: Request,
  res: Response,
  { type, maxBytes }: { type: FileType; maxBytes: number },
): OpenedStream {
  const tooLarge = () => new AppError('BODY_TOO_LARGE', `The file is larger than ${maxBytes} bytes`);
  try {
    refuseOtherMedia(req, type);
    if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  } catch (error) {
    // What was refused is not waited for.
    res.setHeader('Connection', 'close');
    throw error;
  }
  liftBodyTime(req);
  const source = openSource(req);
  const hash = createHash('sha256');
  let count = 0;
  let digest: string | undefined;

  async function* read(): AsyncGenerator<Buffer> {
    for (let chunk = await source.next(); chunk; chunk = await source.next()) {
      count += chunk.length;
      if (count > maxBytes) throw tooLarge();
      hash.update(chunk);
      yield chunk;
    }
    digest = hash.digest('hex');
  }

  return {
    [Symbol.asyncIterator]: read,
    count: () => count,
    digest() {
      if (digest === undefined) throw new Error('the digest of a body was asked for before its end');
      return digest;
    },
    drop(error) {
      // Else a client hears the answer when it has sent all.
      if (error instanceof AppError && (error.code === 'BODY_TOO_LARGE' || error.code === 'REQUEST_TIMEOUT')) {
        res.setHeader('Connection', 'close');
      }
      dropBody(req, source);
    },
  };
}

/** What is still to come of a body is read and forgotten, but not for ever. */
export function dropBody(req: Request, source: Source): void {
  source.drop();
  // All of it is here: the connection is the client's next request's.
  if (req.complete) return;
  const late = setTimeout(() => req.socket.destroy(), IDLE_MS).unref();
  req.once('end', () => clearTimeout(late));
  req.once('close', () => clearTimeout(late));
}

function refuseOtherMedia(req: Request, type: FileType): void {
  const given = req.headers['content-type'] ?? '';
  const isType = given.split(';', 1)[0]?.trim().toLowerCase() === type;
  const encoding = req.headers['content-encoding'];
  if (!isType || !isUtf8Type(given) || (encoding !== undefined && encoding !== 'identity')) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `Send the body as ${type} in UTF-8, not compressed`);
  }
}

export interface Source {
  /** Undefined at the end. Only waiting for the sender counts as its pause: what is read is worked off at our own pace. */
  next(): Promise<Buffer | undefined>;
  /** What is still to come is read and forgotten. */
  drop(): void;
}

/** REQUEST_TIMEOUT of a sender that pauses for too long, or goes away. */
export function openSource(req: Request): Source {
  const chunks: Buffer[] = [];
  let wake: (() => void) | undefined;
  let isOver = false;
  const onData = (chunk: Buffer): void => {
    chunks.push(chunk);
    req.pause();
    wake?.();
  };
  const onEnd = (): void => {
    isOver = true;
    wake?.();
  };
  req.once('close', onEnd);
  req.once('error', onEnd);
  req.once('end', onEnd);

  async function wait(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => reject(new AppError('REQUEST_TIMEOUT', 'The request paused for too long')), IDLE_MS);
    wake = resolve;
    if (req.listenerCount('data') === 0) req.on('data', onData);
    req.resume();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      wake = undefined;
    }
  }

  return {
    async next() {
      if (chunks.length === 0 && !isOver) await wait();
      const chunk = chunks.shift();
      if (!chunk && !req.complete) throw new AppError('REQUEST_TIMEOUT', 'The request ended before its body did');
      return chunk;
    },
    drop() {
      isOver = true;
      req.off('data', onData);
      req.resume();
      wake?.();
    },
  };
}
