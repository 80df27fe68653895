/** One embedded PostgreSQL for the run, with a migrated template database of which test files clone theirs. */
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedCluster } from '../../src/db/embedded.ts';
import { newLogins, prepareDatabase } from '../../src/db/local-database.ts';
import type { Login } from '../../src/db/roles.ts';
import { migrateService } from '../../src/service.ts';

export const TEMPLATE = 'svc_template';

export interface TestCluster {
  /** Of the run: all that it writes, and the processes that must end with it. */
  directory: string;
  superuserUrl: string;
  logins: Record<'owner' | 'app' | 'worker' | 'admin', Login>;
}

declare module 'vitest' {
  export interface ProvidedContext {
    cluster: TestCluster;
    /** Whether the files of a worker share one process, and with it an app and a database. */
    sharesApp?: boolean;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await makeRunDirectory();
  const endWatch = watchOver(directory);
  const cluster = await startEmbeddedCluster({
    directory,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  });
  const logins = newLogins();
  const { ownerUrl } = await prepareDatabase(cluster, TEMPLATE, logins);
  await migrateService(ownerUrl);
  project.provide('cluster', { directory, superuserUrl: cluster.url('postgres'), logins });
  return async () => {
    await cluster.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    endWatch();
  };
}

/** Temporary files of the tests land below it too, so that one removal takes all. */
async function makeRunDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'svc-test-'));
  await chmod(directory, 0o711); // some tests run a server below as another user
  const temporary = path.join(directory, 'tmp');
  await mkdir(temporary);
  await chmod(temporary, 0o1777);
  process.env['TMPDIR'] = temporary;
  // Starting one of our programs takes 1.7 s of the processor, and 0.9 s where its code was compiled before.
  process.env['NODE_COMPILE_CACHE'] = path.join(directory, 'compiled');
  return directory;
}

/** A signal can end this process without a teardown, and the server outlives whoever started it. */
function watchOver(directory: string): () => void {
  const watchdog = spawn(process.execPath, [path.join(import.meta.dirname, 'watchdog.ts'), directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // Ctrl-C is sent to every process of the group
  });
  watchdog.unref();
  return () => void watchdog.stdin.end();
}
