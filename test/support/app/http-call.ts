/** One HTTP call with the answer as text: quicker than supertest and without any reading of the body. */

export interface CallRequest {
  method: string;
  /** With query, percent-encoded. */
  target: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** A file in place of a JSON body. */
  csv?: string | undefined;
}

export interface CallAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; undefined when it is not JSON. */
  json: unknown;
}

export async function call(baseUrl: string, { method, target, headers = {}, body, csv }: CallRequest): Promise<CallAnswer> {
  const sent = csv ?? (body === undefined ? undefined : JSON.stringify(body));
  const answer = await fetch(baseUrl + target, {
    method,
    headers: { ...(sent !== undefined && { 'content-type': csv === undefined ? 'application/json' : 'text/csv' }), ...headers },
    ...(sent === undefined ? {} : { body: sent }),
    redirect: 'manual',
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, json: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A copy of `source` with the value at a dotted path set, making objects on the way. */
export function withValueAt(source: object, path: string, value: unknown): Record<string, unknown> {
  const [head = '', ...rest] = path.split('.');
  const copy = (Array.isArray(source) ? [...source] : { ...source }) as Record<string, unknown>;
  const inner = copy[head];
  copy[head] =
    rest.length === 0 ? value : withValueAt(typeof inner === 'object' && inner !== null ? inner : {}, rest.join('.'), value);
  return copy;
}
