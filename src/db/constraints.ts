/** What a database error means to the caller: SQLSTATEs, and the names of the features' constraints. */
import { AppError, type ErrorKind } from '../errors.ts';

/** What a violated constraint means to the caller, by its name; features declare theirs. */
export type Constraints = Readonly<Record<string, { error: ErrorKind; message: string }>>;

const unavailable: Record<string, string> = {
  '53300': 'The database has no connection to spare',
  '55P03': 'The row is locked by another request',
  '57014': 'The database took too long to answer',
  '25P03': 'The transaction was idle too long',
};

/** The AppError a database error stands for, or undefined when it is a fault of ours. */
export function fromDatabaseError(error: unknown, constraints: Constraints): AppError | undefined {
  if (!(error instanceof Error)) return undefined;
  const sqlState = codeOf(error);
  const constraint = 'constraint' in error ? String(error.constraint) : '';
  const known = constraints[constraint];
  if (known) return new AppError(known.error, known.message, { cause: error });
  const reason = unavailable[sqlState] ?? (isConnectionLoss(error) ? 'The database is unavailable' : undefined);
  return reason === undefined ? undefined : new AppError('SERVICE_UNAVAILABLE', reason, { cause: error, retryAfterSeconds: 1 });
}

/** Whether the connection, not the statement, failed: a lost socket, a shutdown, a restart. */
export function isConnectionLoss(error: unknown): boolean {
  return (
    error instanceof Error &&
    (/^(57P0\d|08\d{3}|ECONN\w+|EPIPE)$/.test(codeOf(error)) ||
      /^(Connection terminated|Client has encountered a connection error)/.test(error.message))
  );
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}

/** Whether the server has no connection to spare: its own limit, the database's or the role's. */
export function isCrowded(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '53300';
}

/** Whether the error is a violation of this constraint. */
export function violates(error: unknown, constraint: string): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === constraint;
}

/** Whether the error is a lock that was not granted within lock_timeout. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}
