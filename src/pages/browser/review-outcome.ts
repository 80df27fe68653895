/** What an answer to a form says of what was done. Source: docs/specification/pages.md#reviews. */

/**
 * `done`, `refused` with words on the page that was sent, or `signed-out`. `away` where it is not known: the service failed,
 * is still at it and says when to ask again, or did it and could not show it.
 */
type Outcome = 'done' | 'refused' | 'signed-out' | 'away';

type Answer = Pick<Response, 'ok' | 'status' | 'redirected' | 'url' | 'headers'>;

export function outcomeOf(answer: Answer): Outcome {
  const { ok, status, redirected, url, headers } = answer;
  if (status >= 500 || status === 429 || headers.has('retry-after')) return 'away';
  if (ok && isJson(answer)) return 'done';
  if (!redirected) return 'refused';
  return new URL(url).pathname.startsWith('/dashboard/sign-in') ? 'signed-out' : 'away';
}

export function isJson({ headers }: Pick<Answer, 'headers'>): boolean {
  return (headers.get('content-type') ?? '').startsWith('application/json');
}
