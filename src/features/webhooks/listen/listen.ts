/**
 * Forwards events to a receiver on a developer's machine, which needs no public address: it reads the log over HTTP, as
 * any client may, and signs what it forwards. Source: docs/specification/webhooks.md#listen.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { signatureHeaders } from '../sending/sign-event.ts';

const PAUSE_MS = 1_000;
const TIMEOUT_MS = 15_000;
const PAGE = 100;

export interface ListenOptions {
  /** Of the service. */
  url: string;
  key: string;
  /** Where the events go. */
  forward: string;
  /** From the next event on, or from the one behind this number. */
  from: 'now' | number;
  secret?: string | undefined;
}

const logged = z.looseObject({ id: z.string(), type: z.string(), sequence: z.int(), objectId: z.string() });
const page = z.object({ data: z.array(logged), lastSequence: z.int() });
const refusal = z.object({ error: z.string(), code: z.string() });

/** What the service says no to: no repeat changes that. */
class Refused extends Error {}

/** Until it is killed, or the service refuses the key or the number; the first page has to come, later ones are asked for again. */
export async function listen(options: ListenOptions, say: (line: string) => void, pauseMs = PAUSE_MS): Promise<never> {
  const secret = options.secret ?? `whsec_${randomBytes(32).toString('base64')}`;
  const first = await readLog(options, options.from === 'now' ? 0 : options.from, options.from === 'now' ? 1 : PAGE);
  let after = options.from === 'now' ? first.lastSequence : options.from;
  say(`Signing secret ${secret}`);
  say(`Forwarding events behind number ${after} to ${options.forward}`);
  for (;;) {
    try {
      const { data } = await readLog(options, after, PAGE);
      for (const event of data) {
        say(`${event.sequence}  ${event.type}  ${event.objectId}  ${await forward(options.forward, secret, event)}`);
        after = event.sequence;
      }
      if (data.length === 0) await sleep(pauseMs);
    } catch (error) {
      if (error instanceof Refused) throw error;
      say(`${(error as Error).message}; asking again`);
      await sleep(5 * pauseMs);
    }
  }
}

async function readLog({ url, key, from }: ListenOptions, after: number, limit: number): Promise<z.output<typeof page>> {
  const query = new URLSearchParams({
    limit: String(limit),
    ...(from === 'now' && after === 0 ? {} : { afterSequence: String(after) }),
  });
  const address = new URL(`/api/v1/webhook-events?${query.toString()}`, url);
  const headers = { 'x-tenant-api-key': key };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(address, { headers, redirect: 'manual', signal }).catch(() => undefined);
  if (!answer) throw new Error(`no answer from ${address.origin}`);
  if (answer.status >= 300 && answer.status < 400) {
    throw new Refused(`${address.origin} answers ${answer.status}, which leads elsewhere: the key is sent to no other address`);
  }
  const body: unknown = await answer.json().catch(() => undefined);
  if (answer.ok) return page.parse(body);
  const told = refusal.safeParse(body).data;
  const said = `${address.origin} answers ${answer.status}${told ? ` ${told.code}: ${told.error}` : ''}`;
  throw answer.status >= 500 || answer.status === 429 ? new Error(said) : new Refused(said);
}

/** One attempt: what the receiver makes of it is told, and nothing is sent again. */
async function forward(address: string, secret: string, event: z.output<typeof logged>): Promise<string> {
  const body = Buffer.from(JSON.stringify(event));
  const headers = { 'content-type': 'application/json', ...signatureHeaders({ id: event.id, body, at: new Date() }, [secret]) };
  const started = performance.now();
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { status } = await fetch(address, { method: 'POST', headers, body, redirect: 'manual', signal });
    return `${status} in ${Math.round(performance.now() - started)} ms`;
  } catch (error) {
    const { cause, message } = error as Error;
    return `no answer: ${cause instanceof Error ? cause.message : message}`;
  }
}
