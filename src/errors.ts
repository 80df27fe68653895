/**
 * The one error class of the service and the one table of its codes.
 * Source of the table: api-decisions §1.
 */

interface CodeRow {
  status: number;
  meaning: string;
}

const codes = {
  VALIDATION_ERROR: { status: 400, meaning: 'The input is invalid; details.fields names each field and its fault.' },
  UNAUTHORIZED: { status: 401, meaning: 'The x-tenant-api-key header is missing.' },
  INVALID_API_KEY: { status: 401, meaning: 'The API key is unknown, revoked, disabled or expired.' },
  INVALID_TOKEN: {
    status: 401,
    meaning: 'The token is malformed, expired, revoked, or not of this tenant and environment.',
  },
  INVALID_SIGNATURE: { status: 401, meaning: 'The signature is missing or wrong, or nobody by that name expects one.' },
  FORBIDDEN: {
    status: 403,
    meaning: 'The API key lacks the scope this operation needs, or the bearer token does not reach this far.',
  },
  USER_NOT_PROVISIONED: { status: 403, meaning: 'The provider knows the person, this service does not, and does not create it.' },
  RECRUITING_DISABLED: { status: 403, meaning: 'The sponsor may not recruit (can_recruit is false).' },
  ENVIRONMENT_MISMATCH: {
    status: 403,
    meaning: 'The operation is of the other environment than the key: of the SANDBOX, or of LIVE alone.',
  },
  NOT_FOUND: { status: 404, meaning: 'No such resource in this tenant and environment, or no such path.' },
  USER_NOT_FOUND: { status: 404, meaning: 'No such member in this tenant and environment.' },
  METHOD_NOT_ALLOWED: { status: 405, meaning: 'The path exists, this method does not; see the Allow header.' },
  REQUEST_TIMEOUT: { status: 408, meaning: 'The request did not arrive completely in time.' },
  EMAIL_EXISTS: { status: 409, meaning: 'A member with this email exists in this tenant and environment.' },
  EXTERNAL_ID_EXISTS: { status: 409, meaning: 'A member with this external_id exists in this tenant and environment.' },
  EVENT_ID_REUSED: {
    status: 409,
    meaning: 'The external_event_id was used for other content; details.fields names what differs.',
  },
  CODE_TAKEN: { status: 409, meaning: 'A member has this referral code in this tenant and environment, or had it.' },
  CYCLE_DETECTED: { status: 409, meaning: 'A member cannot be under itself or under its own downline, at any time.' },
  ACCOUNT_LINK_REQUIRED: {
    status: 409,
    meaning: 'A member with this email exists and is not linked to this identity; it is never attached silently.',
  },
  STATE_CONFLICT: { status: 409, meaning: 'The present state does not allow this; nothing was changed.' },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    meaning: 'A request with this Idempotency-Key is still running; retry after Retry-After seconds.',
  },
  BODY_TOO_LARGE: { status: 413, meaning: 'The request body is larger than allowed.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, meaning: 'The request body must be JSON in UTF-8, or CSV where that is taken.' },
  EXPECTATION_FAILED: { status: 417, meaning: 'The Expect header asks for something this service does not do.' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, meaning: 'The Idempotency-Key was used for a different request.' },
  PROFILE_INCOMPLETE: { status: 422, meaning: 'The profile lacks what this needs; details.missing names each field.' },
  METHOD_NOT_SUPPORTED: {
    status: 422,
    meaning: 'The payout method is not one that the tenant offers in the country of the member.',
  },
  CURRENCY_MISMATCH: { status: 422, meaning: 'The currency is not that of the purchase, or not that of the payout method.' },
  REFUND_EXCEEDS_PURCHASE: { status: 422, meaning: 'More would be taken back than is left of the purchase.' },
  EXCHANGE_RATE_MISSING: {
    status: 422,
    meaning: 'A member is paid in another currency and no exchange rate is stored for the time of the sale.',
  },
  PLAN_INVALID: { status: 422, meaning: 'The plan cannot be published; details.reasons names each rule it breaks.' },
  RATE_LIMITED: { status: 429, meaning: 'Too many requests; retry after Retry-After seconds.' },
  HEADERS_TOO_LARGE: { status: 431, meaning: 'The request line or headers are too large.' },
  INTERNAL_ERROR: { status: 500, meaning: 'Unexpected server error; quote the X-Request-Id.' },
  PROVIDER_CONFIGURATION: { status: 502, meaning: 'The provider answered with something that cannot be used; see details.' },
  PROVIDER_UNAVAILABLE: { status: 502, meaning: 'The provider could not be reached.' },
  SERVICE_UNAVAILABLE: { status: 503, meaning: 'The service cannot answer now; retry after Retry-After seconds.' },
} as const satisfies Record<string, CodeRow>;

export type ErrorCode = keyof typeof codes;

/** Every code with its HTTP status and meaning; the docs and the OpenAPI document are made from it. */
export const ERROR_CODES: Readonly<Record<ErrorCode, CodeRow>> = codes;

export interface FieldFault {
  field: string;
  message: string;
}

/** An error the caller is told about: `message` is shown, the HTTP status follows from `code`. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: Record<string, unknown> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: Record<string, unknown>; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = ERROR_CODES[code].status;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** 400 VALIDATION_ERROR naming one or more fields. */
export function invalidFields(faults: FieldFault[]): AppError {
  const first = faults[0];
  const message = first ? `${first.field || 'body'}: ${first.message}` : 'The input is invalid';
  return new AppError('VALIDATION_ERROR', message, { details: { fields: faults } });
}

/** 400 VALIDATION_ERROR naming one field. */
export function invalidField(field: string, message: string): AppError {
  return invalidFields([{ field, message }]);
}
