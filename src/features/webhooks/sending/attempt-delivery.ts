/** One attempt: what is sent to an endpoint, and how its answer is kept. */
import type { Scope } from '../../../db/scope.ts';
import type { Cipher } from '../../../encryption.ts';
import type { OutgoingClient } from '../../../outgoing/outgoing-client.ts';
import { endpointHeadersPlace, endpointSecretPlace } from '../endpoints/endpoint-sealed.ts';
import { eventBodyText, unreadFor } from '../open/event-body.ts';
import type { ScopeOfType } from '../open/event-rights.ts';
import { outcomeOf } from './next-attempt.ts';
import type { DueDelivery, EndedAttempt, LeasedEndpoint } from './sending-queries.ts';
import { signatureHeaders, withOwnHeaders } from './sign-event.ts';
import { withoutOwn } from './without-own.ts';

const TIMEOUT_MS = 15_000;
const KEPT_BYTES = 1_024;

const PLAIN_HEADERS = { 'content-type': 'application/json', 'user-agent': 'mcr-webhooks/1' };

export interface SendingParts {
  cipher: Pick<Cipher, 'decrypt'>;
  outgoing: Pick<OutgoingClient, 'openDeliveries'>;
  scopeOfType: ScopeOfType;
}

export interface OpenedEndpoint {
  /** Throws the reason of the signal when that cuts it short. */
  attempt(delivery: DueDelivery, signal: AbortSignal): Promise<EndedAttempt>;
  close(): Promise<void>;
}

/** Its connections stay open until it is closed. */
export function openEndpoint(
  { cipher, outgoing, scopeOfType }: SendingParts,
  scope: Scope,
  endpointId: string,
  { url, secretSealed, oldSecretSealed, headersSealed, rights }: LeasedEndpoint,
): OpenedEndpoint {
  const open = (sealed: Buffer, place: typeof endpointSecretPlace): string =>
    cipher.decrypt(sealed, place(scope, endpointId)).toString();
  const secrets = [secretSealed, oldSecretSealed].flatMap((sealed) => (sealed ? [open(sealed, endpointSecretPlace)] : []));
  const own = headersSealed ? (JSON.parse(open(headersSealed, endpointHeadersPlace)) as Record<string, string>) : {};
  const line = outgoing.openDeliveries(url);
  return {
    async attempt({ id, attemptCount, tries, event }, signal) {
      const at = new Date();
      const started = performance.now();
      const body = Buffer.from(eventBodyText(unreadFor(event, { rights }, scopeOfType)));
      const headers = withOwnHeaders({ ...PLAIN_HEADERS, ...signatureHeaders({ id: event.id, body, at }, secrets) }, own);
      const answer = await line.deliver({ headers, body, timeoutMs: TIMEOUT_MS, keepBytes: KEPT_BYTES, signal });
      const outcome = outcomeOf(answer, tries, new Date());
      return {
        deliveryId: id,
        number: attemptCount + 1,
        tries,
        at,
        ms: Math.round(performance.now() - started),
        status: answer.status,
        fault: answer.fault,
        answer: answer.text === null ? null : withoutOwn(answer.text, own),
        outcome: outcome.status,
        gapSeconds: outcome.status === 'waiting' ? outcome.gapSeconds : null,
      };
    },
    close: () => line.close(),
  };
}
