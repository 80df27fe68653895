/** What came of an attempt, in words. */

import type { Html } from '../../../pages/html.ts';
import { chip } from '../../../pages/parts/chips.ts';

/** Of each reason why there was no answer, or none that counts. */
const WORDS: Readonly<Record<string, string>> = {
  blocked_address: 'not an address of the public internet',
  unknown_host: 'the host name is not known',
  connection: 'the connection failed',
  certificate: 'the TLS certificate is not trusted',
  timeout: 'the answer took too long',
  redirect: 'redirects are not followed',
  too_large: 'the answer is too large',
  status: 'not a success',
};

interface Attempt {
  status: number | null;
  fault: string | null;
}

export function isSuccess({ status, fault }: Attempt): boolean {
  return fault === null && status !== null && status >= 200 && status < 300;
}

/** The status of the answer, or that there was none. */
export function answerChip(attempt: Attempt): Html {
  return chip(attempt.status === null ? 'no answer' : String(attempt.status), isSuccess(attempt) ? 'good' : 'bad');
}

/** Why it does not count; undefined of a success. */
export function whyNot(attempt: Attempt): string | undefined {
  if (isSuccess(attempt)) return undefined;
  const { status, fault } = attempt;
  if (fault === null) return status === 410 ? 'gone: not to be asked again' : 'not a success';
  return WORDS[fault] ?? fault;
}
