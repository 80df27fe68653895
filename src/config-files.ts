/** Settings that are read from files, as containers are handed their secrets: docs/specification/conventions.md#secret-files. */
import { readFileSync } from 'node:fs';

/** Files that have a password alone, by the setting of the URL that it belongs into. */
export const PASSWORD_FILES: Readonly<Record<string, string>> = {
  DATABASE_PASSWORD_FILE: 'DATABASE_URL',
  DATABASE_OWNER_PASSWORD_FILE: 'DATABASE_OWNER_URL',
  DATABASE_ADMIN_PASSWORD_FILE: 'DATABASE_ADMIN_URL',
  DATABASE_WORKER_PASSWORD_FILE: 'DATABASE_WORKER_URL',
  REDIS_PASSWORD_FILE: 'REDIS_URL',
};

export interface ReadSettings {
  /** By setting. Empty ones are left out. */
  values: Record<string, string>;
  /** One plain line each. None shows a value or a path: somebody may have put the secret where its file should stand. */
  faults: string[];
}

/** The settings `names` as the environment has them, or the file that NAME_FILE names. */
export function readSettings(env: NodeJS.ProcessEnv, names: readonly string[]): ReadSettings {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  const fromFile = (variable: string): string | undefined => {
    const content = readSecret(env[variable] ?? '');
    if (typeof content === 'string') return content;
    faults.push(`${variable}: ${content.fault}`);
    return undefined;
  };
  for (const name of names) {
    const variable = `${name}_FILE`;
    const plain = env[name] === '' ? undefined : env[name];
    if (!env[variable] || names.includes(variable)) {
      if (plain !== undefined) values[name] = plain;
    } else if (plain !== undefined) faults.push(`${name} and ${variable}: set one of them`);
    else {
      const content = fromFile(variable);
      if (content !== undefined) values[name] = content;
    }
  }
  for (const [variable, name] of Object.entries(PASSWORD_FILES)) {
    if (!env[variable]) continue;
    const password = fromFile(variable);
    const url = values[name];
    if (url === undefined) {
      if (!env[`${name}_FILE`]) faults.push(`${variable}: needs ${name}`);
    } else if (password !== undefined) {
      const whole = withPassword(url, password);
      if (typeof whole === 'string') values[name] = whole;
      else if (whole !== undefined) faults.push(`${variable}: ${name} ${whole.fault}`);
    }
  }
  return { values, faults };
}

/** One line of text. Line feeds at the end do not belong to it: editors and `openssl` write them. */
function readSecret(file: string): string | { fault: string } {
  let content: string;
  try {
    content = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)).replace(/\n+$/, '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason';
    return { fault: code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'the file is not text' : `the file cannot be read (${code})` };
  }
  if (content === '') return { fault: 'the file is empty' };
  if (/\p{Cc}/u.test(content)) return { fault: 'the file must have one line, ended by a line feed or not at all' };
  return content;
}

/** Undefined where `url` is none, which the schema says. */
function withPassword(url: string, password: string): string | { fault: string } | undefined {
  if (!URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  if (parsed.password !== '') return { fault: 'has a password already; set one of them' };
  // The setter alone leaves % as it is, which readers of the URL would decode.
  parsed.password = encodeURIComponent(password);
  return parsed.password === '' ? { fault: 'names no host, so it can have no password' } : parsed.href;
}
