/**
 * Sends answers. One in pieces never holds the event loop for longer than a slice: all senders take
 * turns, one slice a turn of the loop, and wait for clients that read slowly.
 */
import { setImmediate } from 'node:timers/promises';
import type { Response } from 'express';
import { apart } from '../apart.ts';
import type { FileAnswer, FileType, PiecedAnswer, WholeAnswer } from './operation.ts';

/** A slice ends with the piece that reaches either bound. */
const SLICE_MS = 8;
const SLICE_CHARACTERS = 65_536;
/** But not by the time while it is this short: a small answer goes out whole, with its length, however busy the machine. */
const LEAST_CHARACTERS = 4_096;

interface Slice {
  text: string;
  last: boolean;
}

export function sendWhole(res: Response, answer: WholeAnswer<string>): void {
  setHead(res, answer);
  endWith(res, answer.body);
}

export function sendFile(res: Response, answer: FileAnswer, type: FileType | undefined): void {
  if (type === undefined) throw new Error('an operation that answers with a file must say of which type');
  setHead(res, answer, type);
  res.setHeader('Content-Length', answer.bytes.length);
  res.end(answer.bytes);
}

/**
 * Ends when the last piece is written or the client has gone. An error of the first slice is thrown
 * before anything was sent; a later one is thrown after.
 */
export async function sendPieces(res: Response, answer: PiecedAnswer, type?: FileType): Promise<void> {
  const pieces = iteratorOf(answer.pieces);
  const wakeUps = listenForWakeUps(res);
  try {
    await nextTurn();
    if (res.destroyed) return;
    let slice = await takeSlice(pieces);
    setHead(res, answer, type);
    if (slice.last) {
      endWith(res, slice.text);
      return;
    }
    // HEAD has the headers of GET, which are known now; its body need not be made.
    if (res.req.method === 'HEAD') {
      res.end();
      return;
    }
    while (!slice.last) {
      if (!res.write(slice.text)) await apart(wakeUps.next);
      await nextTurn();
      if (res.destroyed) return;
      slice = await takeSlice(pieces);
    }
    res.end(slice.text);
  } finally {
    wakeUps.stop();
    await pieces.return?.();
  }
}

function setHead(
  res: Response,
  { status, headers }: { status: number; headers?: Record<string, string> },
  type: FileType | 'application/json' = 'application/json',
): void {
  if (headers) res.set(headers);
  res.status(status).type(type);
}

/** With its length, which node does not work out by itself behind a middleware that sends headers early. */
function endWith(res: Response, text: string): void {
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(text);
}

type Pieces = Iterator<string> | AsyncIterator<string>;

function iteratorOf(pieces: PiecedAnswer['pieces']): Pieces {
  return Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
}

async function takeSlice(pieces: Pieces): Promise<Slice> {
  const until = performance.now() + SLICE_MS;
  let text = '';
  do {
    const next = pieces.next();
    const piece = next instanceof Promise ? await next : next;
    if (piece.done) return { text, last: true };
    text += piece.value;
  } while (text.length < LEAST_CHARACTERS || (text.length < SLICE_CHARACTERS && performance.now() < until));
  return { text, last: false };
}

let lastTurn: Promise<unknown> = Promise.resolve();

/** A turn of the event loop that no other sender has: with one a sender, a hundred would hold it a hundred slices long. */
function nextTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}

/** Room in the connection's buffer, or its end. Listening once for all waits leaves no listener behind. */
function listenForWakeUps(res: Response): { next(): Promise<void>; stop(): void } {
  let wake: (() => void) | undefined;
  const onWake = (): void => wake?.();
  res.on('drain', onWake);
  res.on('close', onWake);
  return {
    next: () =>
      new Promise((resolve) => {
        if (res.destroyed) resolve();
        else wake = resolve;
      }),
    stop() {
      res.off('drain', onWake);
      res.off('close', onWake);
    },
  };
}
