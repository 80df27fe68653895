/** `cli` as an operator runs it, on the database of a test. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CHILD_ENV } from './child-process.ts';
import type { TestApp } from './test-app.ts';

export interface CliRun {
  code: number;
  stdout: string;
  stderr: string;
}

export async function runCli({ config, database }: TestApp, ...words: string[]): Promise<CliRun> {
  const { apiKeyPepper, dataKeys } = config.secrets;
  const env = {
    ...CHILD_ENV,
    NODE_ENV: 'test',
    DATABASE_ACQUIRE_TIMEOUT_MS: '30000',
    DATABASE_URL: database.appUrl,
    DATABASE_WORKER_URL: database.workerUrl,
    DATABASE_ADMIN_URL: database.adminUrl,
    API_KEY_PEPPER: apiKeyPepper.toString('base64'),
    DATA_KEYS: dataKeys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
  };
  return promisify(execFile)(process.execPath, ['src/cli.ts', ...words], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: CliRun) => error,
  );
}
