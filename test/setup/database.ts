/** One embedded PostgreSQL for the run, with a migrated template database that each test file clones. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedCluster } from '../../src/db/embedded.ts';
import { newLogins, prepareDatabase } from '../../src/db/local-database.ts';
import { migrateToLatest } from '../../src/db/migrate.ts';
import type { Login } from '../../src/db/roles.ts';

export const TEMPLATE = 'svc_template';

export interface TestCluster {
  superuserUrl: string;
  logins: Record<'owner' | 'app' | 'worker' | 'admin', Login>;
}

declare module 'vitest' {
  export interface ProvidedContext {
    cluster: TestCluster;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(path.join(tmpdir(), 'svc-test-'));
  const cluster = await startEmbeddedCluster({
    directory,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  });
  const logins = newLogins();
  const { ownerUrl } = await prepareDatabase(cluster, TEMPLATE, logins);
  await migrateToLatest(ownerUrl);
  project.provide('cluster', { superuserUrl: cluster.url('postgres'), logins });
  return async () => {
    await cluster.stop();
    await rm(directory, { recursive: true, force: true });
  };
}
