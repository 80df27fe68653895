/** Operators' commands as `docker compose run` runs them: with the variables and secrets of one service of the file, and no others. */
import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { inject } from 'vitest';
import { CHILD_ENV } from '../app/child-process.ts';
import type { CliRun } from '../app/run-cli.ts';
import type { TestDatabase } from '../database/test-database.ts';
import { environmentOf, type Service } from './compose-file.ts';

/** Every command that can be run, by its words. */
export function commandsOf(command: Command, words: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [words.join(' ')];
  return command.commands.flatMap((one) => commandsOf(one, [...words, one.name()]));
}

export interface ComposeStage {
  /** Runs `src/cli.ts` with `words` in a container's place of `service`. */
  run(service: Service, words: readonly string[]): Promise<CliRun>;
}

/** Secrets as `deploy/make-secrets.sh` makes them, with the logins of the run's cluster; `database` stands for the service's. */
export function openComposeStage(database: TestDatabase): ComposeStage {
  const { superuserUrl, logins } = inject('cluster');
  const directory = mkdtempSync(path.join(tmpdir(), 'svc-compose-'));
  const secrets = path.join(directory, 'secrets');
  mkdirSync(secrets);
  const values = {
    postgres_password: logins.owner.password,
    svc_app_password: logins.app.password,
    svc_worker_password: logins.worker.password,
    svc_admin_password: logins.admin.password,
    redis_password: 'unused',
    api_key_pepper: randomBytes(32).toString('base64'),
    data_keys: `k1:${randomBytes(32).toString('base64')}`,
  };
  for (const [name, value] of Object.entries(values)) writeFileSync(path.join(secrets, name), `${value}\n`);
  const { hostname, port } = new URL(superuserUrl);
  const here = (value: string): string =>
    value
      .replace('postgres://postgres@', `postgres://${logins.owner.user}@`)
      .replace('@postgres:5432/svc', `@${hostname}:${port}/${database.name}`)
      .replace(/^\/data\b/, path.join(directory, 'data'));
  return {
    run(service, words) {
      const own = environmentOf(service, secrets, path.join(directory, randomUUID()));
      const given = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, here(value)]));
      // Beside what is given, patience: several of them run on a busy machine.
      const env = { ...CHILD_ENV, DATABASE_ACQUIRE_TIMEOUT_MS: '60000', ...given };
      return promisify(execFile)(process.execPath, ['src/cli.ts', ...words], { env }).then(
        ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
        (error: CliRun) => error,
      );
    },
  };
}
