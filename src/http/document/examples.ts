/** Examples of the document: real exchanges, as tests have recorded them in each feature's `examples.json`. */
import type { OperationObject } from './objects.ts';

export interface ExampleError {
  error: string;
  code: string;
  details?: unknown;
}

/** What an operation was asked and what it answered. */
export interface ExampleExchange {
  request?: {
    params?: Record<string, unknown>;
    query?: Record<string, unknown>;
    headers?: Record<string, string>;
    body?: unknown;
  };
  /** By status. */
  answers?: Record<string, unknown>;
  /** By code. */
  refusals?: Record<string, ExampleError>;
}

/** By operation. */
export type Exchanges = Readonly<Record<string, ExampleExchange>>;

/** The first refusal of that code. */
export function refusalOf(exchanges: Exchanges, code: string): ExampleError | undefined {
  for (const { refusals } of Object.values(exchanges)) {
    const found = refusals?.[code];
    if (found) return found;
  }
  return undefined;
}

/** Puts what was asked and answered at the media types: an example of a body's own schema moves there, too. */
export function illustrate({ requestBody, responses }: OperationObject, exchange: ExampleExchange = {}): void {
  for (const media of Object.values(requestBody?.content ?? {})) {
    const { example: written, ...schema } = media.schema;
    const example = exchange.request?.body ?? written;
    if (example !== undefined) Object.assign(media, { schema, example });
  }
  for (const [status, answer] of Object.entries(exchange.answers ?? {})) {
    for (const [type, media] of Object.entries(responses[status]?.content ?? {})) {
      const example = type === 'text/csv' && typeof answer === 'object' ? undefined : answer;
      if (example !== undefined && example !== null) media.example = example;
    }
  }
}
