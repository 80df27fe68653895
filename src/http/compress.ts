/** Compresses large answers with brotli or gzip, whichever the client prefers. */
import compression from 'compression';
import type { RequestHandler } from 'express';

/** Below this the time to compress is more than the time to send what it saves. */
const SMALLEST_BYTES = 8192;

/** Goes before everything that answers. Nothing is flushed early: the first part of a JSON text is of no use alone. */
export function compressAnswers(): RequestHandler {
  return compression({
    threshold: SMALLEST_BYTES,
    filter(req, res) {
      const compressible = compression.filter(req, res);
      // HEAD may only tell the length that GET would have, and nobody knows it before compressing.
      if (compressible && req.method === 'HEAD' && Number(res.getHeader('Content-Length')) >= SMALLEST_BYTES) {
        res.removeHeader('Content-Length');
      }
      return compressible;
    },
  });
}
