/** Where the bytes of documents on disk come in and go out, by signed URLs and without a key. */
import { pipeline } from 'node:stream/promises';
import type { Request, Response, Router } from 'express';
import { AppError, invalidField } from '../../errors.ts';
import { refuseRepeatedParameters } from '../../http/wire-guard.ts';
import { attachmentNamed } from './content-disposition.ts';
import { type DiskStorage, SourceBroken } from './local-disk.ts';
import type { GetGrant, Grant, PutGrant, UploadLinks } from './upload-links.ts';

export interface DiskUploads {
  storage: DiskStorage;
  links: UploadLinks;
  /** Of an upload whose length was not said beforehand. */
  maxBytes: number;
}

/** To be mounted behind whatever answers 405 by the routes it finds: HEAD, too, is refused here. */
export function mountUploads(router: Router, { storage, links, maxBytes }: DiskUploads): Router {
  router.all('/uploads/*key', async (req, res) => {
    const { method } = req;
    if (method !== 'PUT' && method !== 'GET') {
      res.setHeader('Allow', 'GET, PUT');
      throw new AppError('METHOD_NOT_ALLOWED', 'This path allows GET, PUT');
    }
    refuseRepeatedParameters(req.query);
    const grant = links.verify(method, keyOf(req), req.query);
    if (!grant)
      throw new AppError('INVALID_SIGNATURE', 'The URL is not one of ours for this method, was changed, or has expired');
    res.setHeader('X-Environment', grant.key.startsWith('sandbox/') ? 'SANDBOX' : 'LIVE');
    await answer(grant, req, res);
  });
  return router;

  async function answer(grant: Grant, req: Request, res: Response): Promise<void> {
    if (grant.method === 'GET') await send(grant, res);
    else await take(grant, req, res);
  }

  async function take(grant: PutGrant, req: Request, res: Response): Promise<void> {
    try {
      refuseOther(grant, req, maxBytes);
    } catch (error) {
      // What was refused is not waited for.
      res.setHeader('Connection', 'close');
      throw error;
    }
    try {
      await storage.receive(grant.key, req);
    } catch (error) {
      // What is still to come is read and dropped, or the connection would be of no use for the next request.
      req.resume();
      if (!(error instanceof SourceBroken)) throw error;
      throw new AppError('REQUEST_TIMEOUT', 'The upload ended before its body did', { cause: error });
    }
    res.status(200).end();
  }

  async function send({ key, fileName }: GetGrant, res: Response): Promise<void> {
    const stored = await storage.read(key);
    if (!stored) throw new AppError('NOT_FOUND', 'The document is not there any more');
    // Helmet adds nosniff, and no answer of ours is kept by caches.
    res.set({
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(stored.size),
      'Content-Disposition': attachmentNamed(fileName),
    });
    await pipeline(stored.content, res);
  }
}

function keyOf(req: Request): string {
  const { key } = req.params as { key?: string | string[] };
  return Array.isArray(key) ? key.join('/') : (key ?? '');
}

function refuseOther(grant: PutGrant, req: Request, maxBytes: number): void {
  if (req.headers['content-type'] !== grant.mimeType) throw invalidField('Content-Type', `must be ${grant.mimeType}`);
  if (req.headers['content-encoding'] !== undefined) throw invalidField('Content-Encoding', 'must be absent');
  const length = req.headers['content-length'];
  if (length === undefined) throw invalidField('Content-Length', 'is required');
  if (grant.size === undefined) {
    if (Number(length) > maxBytes) throw new AppError('BODY_TOO_LARGE', `A document has at most ${maxBytes} bytes`);
  } else if (Number(length) !== grant.size) throw invalidField('Content-Length', `must be ${grant.size}`);
}
