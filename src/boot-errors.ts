/** Why a process cannot start, in one plain line. Source: docs/specification/reliability.md#f-13. */
import { ConfigError } from './config.ts';
import { AppError } from './errors.ts';

/** A fault met while asking this database, of the two that a process may use. */
export class DatabaseFault extends Error {
  readonly url: string;
  constructor(url: string, cause: unknown) {
    super('the database cannot be used', { cause });
    this.url = url;
  }
}

/** Lines for the operator; never a stack for what an operator can mend. */
export function bootErrorLines(error: unknown, databaseUrl: string | undefined): string[] {
  if (error instanceof DatabaseFault) return bootErrorLines(error.cause, error.url);
  if (error instanceof ConfigError) return error.faults.map((fault) => `configuration: ${fault}`);
  const root = rootCause(error);
  const code = root instanceof Error && 'code' in root ? String(root.code) : '';
  const where = databaseUrl === undefined ? 'the database' : describeUrl(databaseUrl);
  if (
    code === 'ECONNREFUSED' ||
    code === 'ENOTFOUND' ||
    code === 'EAI_AGAIN' ||
    code === 'ETIMEDOUT' ||
    code === 'EHOSTUNREACH'
  ) {
    return [`database: cannot reach ${where} (${code})`];
  }
  if (code === '28P01' || code === '28000')
    return [`database: ${where} refused the login; check the user and password in its URL`];
  if (code === '3D000') return [`database: ${where} does not exist`];
  if (code === '42P01' || code === '42883' || code === '42703')
    return ['database: the schema is missing or old; run: npm run -s cli -- migrate'];
  if (root instanceof Error && 'syscall' in root) return [systemFault(root as NodeJS.ErrnoException)];
  return (root instanceof Error ? root.message : String(root)).split('\n');
}

/** A port and a file have these codes in common. */
function systemFault(error: NodeJS.ErrnoException & { address?: string | undefined }): string {
  const { code = '', syscall, path: file, address } = error;
  if (syscall !== 'listen') return file === undefined ? error.message : `files: ${file} cannot be used by this user (${code})`;
  if (code === 'EADDRINUSE') return 'port: already in use; set PORT to another';
  if (code === 'EACCES') return 'port: may not be opened by this user, as most below 1024; set PORT to another';
  if (code === 'EADDRNOTAVAIL') return `address: this machine has no ${address}; set HOST to one that it has`;
  return `port: cannot be listened on (${code})`;
}

function rootCause(error: unknown): unknown {
  if (error instanceof AggregateError) return error.errors[0];
  return error instanceof AppError && error.cause !== undefined ? rootCause(error.cause) : error;
}

/** Without the password. */
export function describeUrl(url: string): string {
  const { hostname, port, pathname, username } = new URL(url);
  return `${username}@${hostname}:${port || '5432'}${pathname}`;
}
