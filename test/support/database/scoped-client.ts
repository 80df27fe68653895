/** A connection of the service's that sees the rows of one scope. */
import pg from 'pg';
import type { Scope } from '../../../src/db/scope.ts';
import type { TestDatabase } from './test-database.ts';

export async function connectInScope(
  { appUrl }: Pick<TestDatabase, 'appUrl'>,
  { tenantId, environment }: Pick<Scope, 'tenantId' | 'environment'>,
): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: appUrl });
  await client.connect();
  await client.query("select set_config('app.tenant_id', $1, false), set_config('app.environment', $2, false)", [
    tenantId,
    environment,
  ]);
  return client;
}
