/**
 * The one error class of the service, and the codes that are not of one feature. A feature declares its own by
 * `defineErrors`. Source of the table: docs/specification/conventions.md#errors.
 */

export interface CodeRow {
  status: number;
  meaning: string;
}

/** A code that a feature declares. It stands in its description, so that the document knows it. */
export interface FeatureError<Code extends string = string> extends CodeRow {
  code: Code;
}

/** The codes of a feature by name, to be thrown as `new AppError(usersErrors.EMAIL_EXISTS, …)`. */
export function defineErrors<Code extends string>(rows: Record<Code, CodeRow>): { readonly [C in Code]: FeatureError<C> } {
  return Object.fromEntries(Object.entries<CodeRow>(rows).map(([code, row]) => [code, { code, ...row }])) as never;
}

const codes = {
  VALIDATION_ERROR: { status: 400, meaning: 'The input is invalid; details.fields names each field and its fault.' },
  UNAUTHORIZED: { status: 401, meaning: 'The x-tenant-api-key header is missing.' },
  INVALID_API_KEY: { status: 401, meaning: 'The API key is unknown, revoked, disabled or expired, or its tenant is disabled.' },
  INVALID_TOKEN: {
    status: 401,
    meaning: 'The token is malformed, expired, revoked, or not of this tenant and environment.',
  },
  INVALID_SIGNATURE: { status: 401, meaning: 'The signature is missing or wrong, or nobody by that name expects one.' },
  FORBIDDEN: {
    status: 403,
    meaning: 'The API key lacks the scope this operation needs, or the bearer token does not reach this far.',
  },
  STEP_UP_REQUIRED: {
    status: 403,
    meaning: 'Of people: this takes a second factor of the last minutes; details.hasFactor says whether there is one.',
  },
  SECOND_FACTOR_REQUIRED: {
    status: 403,
    meaning: 'Of people: the role may change LIVE data once the person has a second factor.',
  },
  IP_NOT_ALLOWED: { status: 403, meaning: 'The API key is bound to addresses, and the request comes from another.' },
  ENVIRONMENT_MISMATCH: {
    status: 403,
    meaning: 'The operation is of the other environment than the key: of the SANDBOX, or of LIVE alone.',
  },
  NOT_FOUND: { status: 404, meaning: 'No such resource in this tenant and environment, or no such path.' },
  USER_NOT_FOUND: { status: 404, meaning: 'No such member in this tenant and environment.' },
  METHOD_NOT_ALLOWED: { status: 405, meaning: 'The path exists, this method does not; see the Allow header.' },
  REQUEST_TIMEOUT: { status: 408, meaning: 'The request did not arrive completely in time.' },
  STATE_CONFLICT: { status: 409, meaning: 'The present state does not allow this; nothing was changed.' },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    meaning: 'A request with this Idempotency-Key is still running; retry after Retry-After seconds.',
  },
  BODY_TOO_LARGE: { status: 413, meaning: 'The request body is larger than allowed.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, meaning: 'The request body must be JSON in UTF-8, or CSV where that is taken.' },
  EXPECTATION_FAILED: { status: 417, meaning: 'The Expect header asks for something this service does not do.' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, meaning: 'The Idempotency-Key was used for a different request.' },
  LIMIT_REACHED: {
    status: 422,
    meaning: 'The member has as many of these as the deployment allows; details.limit is that number. Nothing was made.',
  },
  RATE_LIMITED: { status: 429, meaning: 'Too many requests; retry after Retry-After seconds.' },
  HEADERS_TOO_LARGE: { status: 431, meaning: 'The request line or headers are too large.' },
  INTERNAL_ERROR: { status: 500, meaning: 'Unexpected server error; quote the X-Request-Id.' },
  PROVIDER_CONFIGURATION: { status: 502, meaning: 'The provider answered with something that cannot be used; see details.' },
  PROVIDER_UNAVAILABLE: { status: 502, meaning: 'The provider could not be reached.' },
  SERVICE_UNAVAILABLE: { status: 503, meaning: 'The service cannot answer now; retry after Retry-After seconds.' },
} as const satisfies Record<string, CodeRow>;

export type ErrorCode = keyof typeof codes;

/** What an operation may answer, and an error be of. */
export type ErrorKind = ErrorCode | FeatureError;

export function codeOf(kind: ErrorKind): string {
  return typeof kind === 'string' ? kind : kind.code;
}

/** The codes that are not of one feature, with HTTP status and meaning. */
export const ERROR_CODES: Readonly<Record<ErrorCode, CodeRow>> = codes;

/** 422 LIMIT_REACHED: `what` names them in the plural. Source: docs/specification/conventions.md#caps. */
export function limitReached(what: string, limit: number): AppError {
  return new AppError('LIMIT_REACHED', `The member has ${limit} ${what}, which is the most that it may have`, {
    details: { limit },
  });
}

export interface FieldFault {
  field: string;
  message: string;
}

/** An error the caller is told about: `message` is shown, the HTTP status follows from `code`. */
export class AppError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: Record<string, unknown> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    kind: ErrorKind,
    message: string,
    options: { details?: Record<string, unknown>; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = codeOf(kind);
    this.status = typeof kind === 'string' ? ERROR_CODES[kind].status : kind.status;
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
