/** How long a request may take to arrive. node has one bound for all of a server; a long upload needs another. */
import type { IncomingMessage } from 'node:http';

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Calls `onLate` when the body has not arrived in time. Costs nothing where there is none. */
export function limitBodyTime(req: IncomingMessage, ms: number, onLate: () => void): void {
  const { headers } = req;
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return;
  const timer = setTimeout(onLate, ms).unref();
  timers.set(req, timer);
  const arrived = (): void => clearTimeout(timer);
  req.once('end', arrived);
  req.once('close', arrived);
}

/** For a body that is worked off as it comes: who reads it sees to it that it keeps coming. */
export function liftBodyTime(req: IncomingMessage): void {
  clearTimeout(timers.get(req));
}
