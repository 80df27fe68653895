/**
 * With HARVEST_EXCHANGES=<file>, every call that a test makes of an operation over HTTP is noted there, a JSON text a line:
 * what was sent and what came back. tools/harvest-examples.ts takes examples of refusals from it.
 */
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const file = process.env['HARVEST_EXCHANGES'];

interface Noted {
  method: string;
  target: string;
  sent: unknown;
  status: number;
  answer: unknown;
}

/** Long ones make no example. */
const LONGEST = 8_000;

function note(noted: Noted): void {
  if (file === undefined || !noted.target.startsWith('/api/v1/')) return;
  const line = JSON.stringify(noted);
  if (line.length <= LONGEST) appendFileSync(file, `${line}\n`);
}

interface Said {
  params?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/** The same of a call that came by no request, as a page's. */
export function noteInvoked(
  { method, path }: { method: string; path: string },
  { params = {}, body }: Said,
  { status, answer }: { status: number; answer: unknown },
): void {
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
  note({ method: method.toUpperCase(), target, sent: body, status, answer });
}

function parsed(text: unknown): unknown {
  if (text instanceof Uint8Array) return parsed(new TextDecoder().decode(text));
  if (typeof text !== 'string') return text ?? undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text === '' ? undefined : text;
  }
}

if (file !== undefined) {
  const plain = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const answer = await plain(input, init);
    const url = new URL(typeof input === 'string' ? input : input instanceof URL ? input.href : input.url);
    if (url.pathname.startsWith('/api/v1/')) {
      const text = await answer.clone().text();
      const noted = { method: init?.method ?? 'GET', target: url.pathname + url.search, sent: parsed(init?.body) };
      note({ ...noted, status: answer.status, answer: parsed(text) });
    }
    return answer;
  };

  interface Sent {
    method: string;
    url: string;
    _data?: unknown;
  }
  type End = (this: Sent, done?: (error: unknown, answer?: { status: number; text: string }) => void) => unknown;
  const { Test } = createRequire(import.meta.url)('supertest') as { Test: { prototype: { end: End } } };
  const end = Test.prototype.end;
  Test.prototype.end = function noting(this: Sent, done) {
    return end.call(this, (error, answer) => {
      if (answer) {
        const { pathname, search } = new URL(this.url);
        note({
          method: this.method,
          target: pathname + search,
          sent: parsed(this._data),
          status: answer.status,
          answer: parsed(answer.text),
        });
      }
      done?.(error, answer);
    });
  };
}
