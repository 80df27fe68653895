/** What a call throws. */
import type { components } from './schema.ts';

/** Every code that the service answers. */
export type ErrorCode = components['schemas']['ErrorResponse']['code'];

/** What is wrong with one field. */
export interface FieldError {
  /** As `customer.email`. */
  field: string;
  message: string;
}

/** The service refused the call, or failed. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
  /** Quote it when you report a problem. */
  readonly requestId: string | null;
  /** Seconds to wait, of 429 and 503. */
  readonly retryAfter: number | undefined;

  constructor(message: string, parts: Pick<ApiError, 'status' | 'code' | 'details' | 'requestId' | 'retryAfter'>) {
    super(message);
    this.status = parts.status;
    this.code = parts.code;
    this.details = parts.details;
    this.requestId = parts.requestId;
    this.retryAfter = parts.retryAfter;
  }

  /** The faulty fields of a VALIDATION_ERROR; else none. */
  get fields(): readonly FieldError[] {
    const { fields } = this.details;
    return Array.isArray(fields) ? (fields as FieldError[]) : [];
  }
}

/** Nothing came back: whether the call had its effect is not known. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** What a proxy's answer means, which is no JSON of the service. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  408: 'REQUEST_TIMEOUT',
  413: 'BODY_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
};

/** The error of an answer; one that is no JSON has the code of its status. */
export async function errorOf(answer: Response): Promise<ApiError> {
  const text = await answer.text();
  const body = parsed(text);
  const { status, headers } = answer;
  return new ApiError(body?.error ?? `The service answered ${status}`, {
    status,
    code: body?.code ?? CODES[status] ?? (status >= 500 ? 'SERVICE_UNAVAILABLE' : 'VALIDATION_ERROR'),
    details: body?.details ?? {},
    requestId: headers.get('x-request-id'),
    retryAfter: secondsOf(headers.get('retry-after')),
  });
}

function parsed(text: string): { error?: string; code?: ErrorCode; details?: Record<string, unknown> } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `Retry-After` (RFC 9110): seconds or a date. */
function secondsOf(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
