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
  const hash = createHash('sha256');
  let count = 0;
  let digest: string | undefined;

  async function* read(): AsyncGenerator<Buffer> {
    const chunks = req.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
    for (let next = await nextOf(chunks); !next.done; next = await nextOf(chunks)) {
      count += next.value.length;
      if (count > maxBytes) throw tooLarge();
      hash.update(next.value);
      yield next.value;
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
      if (error instanceof AppError && (error.code === 'BODY_TOO_LARGE' || error.code === 'REQUEST_TIMEOUT')) {
        res.setHeader('Connection', 'close');
      } else req.resume(); // a client hears the answer when it has sent all
    },
  };
}

function refuseOtherMedia(req: Request, type: FileType): void {
  const given = req.headers['content-type'] ?? '';
  const isType = given.split(';', 1)[0]?.trim().toLowerCase() === type;
  const encoding = req.headers['content-encoding'];
  if (!isType || !isUtf8Type(given) || (encoding !== undefined && encoding !== 'identity')) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `Send the body as ${type} in UTF-8, not compressed`);
  }
}

/** Only waiting for the sender counts as its pause: what is read is worked off at our own pace. */
async function nextOf(chunks: AsyncIterator<Buffer>): Promise<IteratorResult<Buffer>> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new AppError('REQUEST_TIMEOUT', 'The request paused for too long')), IDLE_MS);
  const next = chunks.next();
  try {
    return await Promise.race([next, late]);
  } catch (error) {
    next.catch(() => undefined);
    if (error instanceof AppError) throw error;
    throw new AppError('REQUEST_TIMEOUT', 'The request ended before its body did', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
