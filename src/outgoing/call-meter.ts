/** Tells how each call to a vendor ended and what it took. */
import { AppError } from '../errors.ts';
import { OutgoingFault } from './outgoing-fault.ts';

/**
 * `refused`: the vendor says no, for certain. `misconfigured`: the account or the address that the tenant has set up
 * cannot be used. `unavailable`: the vendor did not answer, or not in a way that settles anything. `failed`: our own fault.
 */
export type CallOutcome = 'ok' | 'refused' | 'misconfigured' | 'unavailable' | 'failed';

export interface EndedCall {
  vendor: string;
  /** The method's name. */
  call: string;
  outcome: CallOutcome;
  seconds: number;
}

export type NoteCall = (call: EndedCall) => void;

/**
 * The same object, whose methods that return a promise are noted when it settles. `only` names those that make calls,
 * where not all of them do. Answers and errors pass as they are. Without `note` it is the object itself.
 */
export function metered<T extends object>(
  target: T,
  vendor: string,
  note: NoteCall | undefined,
  only?: readonly (keyof T & string)[],
): T {
  if (!note) return target;
  const wrapped = { ...target } as Record<string, unknown>;
  for (const [call, method] of Object.entries(target)) {
    if (typeof method !== 'function' || (only && !only.includes(call as keyof T & string))) continue;
    wrapped[call] = (...given: unknown[]): unknown => {
      const started = performance.now();
      const end = (outcome: CallOutcome): void => note({ vendor, call, outcome, seconds: (performance.now() - started) / 1000 });
      const answer: unknown = Reflect.apply(method, target, given);
      if (answer instanceof Promise) {
        answer.then(
          () => end('ok'),
          (error: unknown) => end(outcomeOf(error)),
        );
      }
      return answer;
    };
  }
  return wrapped as T;
}

function outcomeOf(error: unknown): CallOutcome {
  if (error instanceof OutgoingFault) return error.unreachable ? 'unavailable' : 'misconfigured';
  if (!(error instanceof AppError)) return 'failed';
  if (error.code === 'PROVIDER_CONFIGURATION') return 'misconfigured';
  if (error.code === 'PROVIDER_UNAVAILABLE' || error.code === 'SERVICE_UNAVAILABLE') return 'unavailable';
  return error.status < 500 ? 'refused' : 'failed';
}
