/** Why nothing usable came from an address. */

const reasons = {
  blocked_address: 'The address is not one of the public internet',
  unknown_host: 'The host name is not known',
  connection: 'The connection failed',
  certificate: 'The TLS certificate is not trusted',
  timeout: 'The answer took too long',
  redirect: 'The answer is a redirect',
  status: 'The answer is not 200',
  server_error: 'The answer is a server error',
  content_type: 'The answer is of another content type',
  encoded: 'The answer is compressed',
  too_large: 'The answer is too large',
  not_json: 'The answer is not JSON',
} as const;

export type OutgoingReason = keyof typeof reasons;

const UNREACHABLE = new Set<OutgoingReason>(['unknown_host', 'connection', 'timeout', 'server_error']);

export class OutgoingFault extends Error {
  readonly reason: OutgoingReason;
  /** It may pass by itself; otherwise somebody has to change something. */
  readonly unreachable: boolean;

  constructor(reason: OutgoingReason, cause?: unknown) {
    super(reasons[reason], cause === undefined ? undefined : { cause });
    this.name = 'OutgoingFault';
    this.reason = reason;
    this.unreachable = UNREACHABLE.has(reason);
  }
}

const byCode: Record<string, OutgoingReason> = {
  ENOTFOUND: 'unknown_host',
  EAI_AGAIN: 'unknown_host',
  ENODATA: 'unknown_host',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
  HPE_HEADER_OVERFLOW: 'too_large',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'too_large',
};

/** What an error of the network or the HTTP client stands for. */
export function toOutgoingFault(error: unknown): OutgoingFault {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutgoingFault) return cause;
    if (cause.name === 'TimeoutError') return new OutgoingFault('timeout', error);
    const code = 'code' in cause ? String(cause.code) : '';
    const known = byCode[code];
    if (known) return new OutgoingFault(known, error);
    if (/CERT|TLS|SSL|UNABLE_TO/.test(code)) return new OutgoingFault('certificate', error);
  }
  return new OutgoingFault('connection', error);
}
