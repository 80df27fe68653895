/**
 * Signed calls to the KYC vendor, repeated while it is worth it, and what their failures mean to our
 * caller. What the vendor says of an error may name the applicant, so neither log nor caller gets it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AppError } from '../../errors.ts';
import { KYC_VENDOR_ORIGIN } from '../../outgoing/address-form.ts';
import type { OutgoingClient } from '../../outgoing/outgoing-client.ts';
import { OutgoingFault } from '../../outgoing/outgoing-fault.ts';
import type { KycAccount } from './kyc-account.ts';
import { signRequest } from './sign-request.ts';

/** Somebody waits for an answer of ours meanwhile. */
const WHOLE_MS = 4_000;
const ATTEMPT_MS = 3_000;
/** Less is not worth another attempt. */
const SHORTEST_ATTEMPT_MS = 300;
const MAX_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 150;

export interface VendorCall {
  /** For the log and the caller. */
  name: string;
  method: 'GET' | 'POST';
  path: string;
  /** Each must be safe to repeat. */
  payload?: object;
  /** Statuses beside 2xx that are an answer. */
  alsoFine?: readonly number[];
}

export interface VendorAnswer {
  status: number;
  text: string;
}

/** The time for all calls that one of these makes is limited as a whole. */
export type Ask = (call: VendorCall) => Promise<VendorAnswer>;

interface Trouble {
  status?: number;
  retryAfterSeconds?: number | undefined;
  cause?: OutgoingFault;
}

export function createVendorCalls({ outgoing, logger }: { outgoing: OutgoingClient; logger: Logger }): {
  begin(account: KycAccount): Ask;
} {
  /** One attempt; trouble that may pass is returned, other trouble thrown. */
  async function attempt(account: KycAccount, call: VendorCall, timeoutMs: number): Promise<VendorAnswer | Trouble> {
    const { method, path, payload, name } = call;
    const body = payload && Buffer.from(JSON.stringify(payload));
    const headers = {
      accept: 'application/json',
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...signRequest(account, { method, path, body }, new Date()),
    };
    try {
      const answer = await outgoing.request(account.baseUrl ?? KYC_VENDOR_ORIGIN, { method, path, headers, body, timeoutMs });
      const { status, text } = answer;
      if ((status >= 200 && status < 300) || call.alsoFine?.includes(status)) return { status, text };
      logger.warn({ vendor: 'kycvendor', call: name, status, ...tracesOf(text) }, 'the KYC vendor refused a call');
      if (status === 429 || status >= 500) return { status, retryAfterSeconds: secondsOf(answer.header('retry-after')) };
      throw misconfigured(status === 401 || status === 403 ? 'unauthorized' : 'refused', name, `status ${status}`);
    } catch (error) {
      if (!(error instanceof OutgoingFault)) throw error;
      logger.warn({ vendor: 'kycvendor', call: name, reason: error.reason }, 'the KYC vendor could not be asked');
      if (error.unreachable) return { cause: error };
      throw misconfigured(error.reason, name, error.message);
    }
  }

  return {
    begin(account) {
      const deadline = performance.now() + WHOLE_MS;
      const leftMs = (): number => deadline - performance.now();
      return async (call) => {
        for (let tried = 1; ; tried++) {
          const outcome = await attempt(account, call, Math.ceil(Math.max(1, Math.min(ATTEMPT_MS, leftMs()))));
          if ('text' in outcome) return outcome;
          const backOff = FIRST_PAUSE_MS * 2 ** (tried - 1) * (1 + Math.random());
          const pause = Math.max(backOff, (outcome.retryAfterSeconds ?? 0) * 1000);
          if (tried === MAX_ATTEMPTS || leftMs() - pause < SHORTEST_ATTEMPT_MS) throw unavailable(outcome, call.name);
          await sleep(pause);
        }
      };
    },
  };
}

function unavailable({ status, retryAfterSeconds, cause }: Trouble, at: string): AppError {
  return new AppError('PROVIDER_UNAVAILABLE', 'The KYC provider cannot be reached now; try again later', {
    details: { reason: cause?.reason ?? (status === 429 ? 'rate_limited' : 'server_error'), at },
    cause: cause ?? new Error(`${at}: status ${status}`),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

export function misconfigured(reason: string, at: string, why: string): AppError {
  return new AppError('PROVIDER_CONFIGURATION', 'The KYC provider cannot be used as it is set up', {
    details: { reason, at },
    cause: new Error(`${at}: ${why}`),
  });
}

export function unusableAnswer(at: string): AppError {
  return misconfigured('unusable_answer', at, 'the answer is not as the vendor describes it');
}

/** What the vendor's support asks for. */
function tracesOf(text: string): { correlationId?: string; errorCode?: number } {
  try {
    const { correlationId, errorCode } = JSON.parse(text) as { correlationId?: unknown; errorCode?: unknown };
    return {
      ...(typeof correlationId === 'string' && /^[\w-]{1,100}$/.test(correlationId) ? { correlationId } : {}),
      ...(typeof errorCode === 'number' ? { errorCode } : {}),
    };
  } catch {
    return {};
  }
}

const LONGEST_RETRY_AFTER_SECONDS = 3600;

function secondsOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined || !/^\d{1,9}$/.test(retryAfter)) return undefined;
  return Math.min(Number(retryAfter), LONGEST_RETRY_AFTER_SECONDS);
}
