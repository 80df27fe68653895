/**
 * Connections to one address of a tenant's, kept for as long as somebody has deliveries for it, which is seconds: each
 * leads to what was checked when it was opened. What the other side does is an answer here, and no error.
 */
import type { Client, Dispatcher } from 'undici';
import { OutgoingFault, type OutgoingReason, toOutgoingFault } from './outgoing-fault.ts';

export interface Delivery {
  headers: Record<string, string>;
  body: Buffer;
  /** For all of it. */
  timeoutMs: number;
  /** So much of the answer is read. */
  keepBytes: number;
  /** Cuts it short: `deliver` throws its reason then. */
  signal: AbortSignal;
}

export interface DeliveryAnswer {
  /** Null where none came. */
  status: number | null;
  /** Why there was no answer, or not a whole one; a redirect is a fault as well. */
  fault: OutgoingReason | null;
  retryAfter: string | undefined;
  /** Its beginning; null where there is none, or it is encoded. */
  text: string | null;
}

export interface DeliveryLine {
  deliver(delivery: Delivery): Promise<DeliveryAnswer>;
  close(): Promise<void>;
}

/** `connect` opens a connection that is checked whenever it is made. Without an address, for it is of bad form, all is blocked. */
export function openDeliveryLine(url: URL | undefined, connect: (url: URL) => Client): DeliveryLine {
  const idle: Client[] = [];
  const all = new Set<Client>();

  function open(to: URL): Client {
    const client = connect(to);
    all.add(client);
    return client;
  }

  async function end(client: Client): Promise<void> {
    all.delete(client);
    await client.destroy();
  }

  async function exchange(
    client: Client,
    path: string,
    { headers, body, keepBytes }: Delivery,
    signal: AbortSignal,
  ): Promise<DeliveryAnswer> {
    let answer: Dispatcher.ResponseData;
    try {
      answer = await client.request({
        method: 'POST',
        path,
        headers: { ...headers, 'accept-encoding': 'identity' },
        body,
        signal,
      });
    } catch (error) {
      await end(client);
      return { status: null, fault: toOutgoingFault(error).reason, retryAfter: undefined, text: null };
    }
    const { bytes, whole, error } = await readStart(answer.body, keepBytes);
    if (whole) idle.push(client);
    else await end(client);
    const { statusCode: status } = answer;
    const redirected = status >= 300 && status < 400 ? 'redirect' : null;
    return {
      status,
      fault: error === undefined ? redirected : toOutgoingFault(error).reason,
      retryAfter: answer.headers['retry-after']?.toString(),
      text: answer.headers['content-encoding'] === undefined ? shownText(bytes) : null,
    };
  }

  return {
    async deliver(delivery) {
      if (!url) return { status: null, fault: 'blocked_address', retryAfter: undefined, text: null };
      const path = url.pathname + url.search;
      const cut = new AbortController();
      const stop = (): void => cut.abort(delivery.signal.reason);
      const timer = setTimeout(() => cut.abort(new OutgoingFault('timeout')), delivery.timeoutMs);
      delivery.signal.addEventListener('abort', stop, { once: true });
      try {
        delivery.signal.throwIfAborted();
        const kept = idle.pop();
        const answer = await exchange(kept ?? open(url), path, delivery, cut.signal);
        // The other side may have ended the connection at the same moment: that is no failure of its.
        const again = kept !== undefined && answer.status === null && answer.fault === 'connection' && !cut.signal.aborted;
        const last = again ? await exchange(open(url), path, delivery, cut.signal) : answer;
        delivery.signal.throwIfAborted();
        return last;
      } finally {
        clearTimeout(timer);
        delivery.signal.removeEventListener('abort', stop);
      }
    },
    async close() {
      await Promise.all([...all].map(end));
    },
  };
}

interface Start {
  bytes: Buffer;
  /** Whether that was all of it: then the connection is free. */
  whole: boolean;
  error?: unknown;
}

async function readStart(body: Dispatcher.ResponseData['body'], most: number): Promise<Start> {
  const chunks: Buffer[] = [];
  let size = 0;
  body.on('error', () => undefined); // of what is left unread
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= most) return { bytes: Buffer.concat(chunks).subarray(0, most), whole: false };
    }
  } catch (error) {
    return { bytes: Buffer.concat(chunks), whole: false, error };
  }
  return { bytes: Buffer.concat(chunks), whole: true };
}

/** As text that can be stored and shown, whatever it was. A character that the end has cut is left out. */
function shownText(bytes: Buffer): string {
  return new TextDecoder('utf-8').decode(bytes, { stream: true }).replaceAll('\0', '\uFFFD');
}
