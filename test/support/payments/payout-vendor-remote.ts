/** The double of the payment vendor, asked by another process. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { AppError, type ErrorCode } from '../../../src/errors.ts';
import type { PayoutVendor } from '../../../src/features/payouts/payouts/advance-payouts.ts';

const CALLS = ['createTransfer', 'findTransfer', 'reverseTransfer', 'createPayout', 'findPayout', 'readPayout'] as const;
type Call = (typeof CALLS)[number];

const write = (value: unknown): string =>
  JSON.stringify(value ?? null, (_key, one: unknown) => (typeof one === 'bigint' ? { $big: `${one}` } : one));
const read = (json: string): unknown =>
  JSON.parse(json, (_key, one: unknown) => {
    const big = typeof one === 'object' && one !== null && '$big' in one ? one.$big : undefined;
    return typeof big === 'string' ? BigInt(big) : one;
  });

export interface ServedVendor {
  url: string;
  /** Called when a call was done, before it is answered. */
  beforeAnswer: ((name: Call) => void) | undefined;
  close(): void;
}

export async function servePayoutVendor(vendor: PayoutVendor): Promise<ServedVendor> {
  const served: ServedVendor = { url: '', beforeAnswer: undefined, close: () => void server.close() };
  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const name = CALLS.find((call) => req.url === `/${call}`);
    if (!name) throw new Error(`there is no call ${req.url}`);
    const args = read(await text(req)) as never[];
    try {
      const result = await (vendor[name] as (...given: never[]) => Promise<unknown>)(...args);
      served.beforeAnswer?.(name);
      res.end(write({ result }));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      res.end(write({ error: { code: error.code, message: error.message, details: error.details } }));
    }
  }

  const server = createServer((req, res) => void serve(req, res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  served.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return served;
}

export function remotePayoutVendor(url: string): PayoutVendor {
  const call = async (name: Call, args: readonly unknown[]): Promise<unknown> => {
    let answer: string;
    try {
      answer = await (await fetch(`${url}/${name}`, { method: 'POST', body: write(args) })).text();
    } catch (cause) {
      throw new AppError('PROVIDER_UNAVAILABLE', 'The answer was lost', { cause });
    }
    const { result, error } = read(answer) as {
      result?: unknown;
      error?: { code: ErrorCode; message: string; details?: Record<string, unknown> };
    };
    if (error) throw new AppError(error.code, error.message, error.details === undefined ? {} : { details: error.details });
    return result ?? undefined;
  };
  return Object.fromEntries(CALLS.map((name) => [name, (...args: unknown[]) => call(name, args)])) as unknown as PayoutVendor;
}
