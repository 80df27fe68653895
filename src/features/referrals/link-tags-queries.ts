/** The tags of slugs, in SQL: one for each environment of a tenant, for ever. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

const insert = prepared<unknown, [string, string, tag: string]>(
  'referrals_insert_tag',
  'insert into link_tag (tenant_id, environment, tag) values ($1, $2, $3) on conflict do nothing',
);

const find = prepared<{ tag: string }, [string, string]>(
  'referrals_find_tag',
  'select t.tag from link_tag t where t.tenant_id = $1 and t.environment = $2',
);

/**
 * The scope's tag: this one, or the one it has got meanwhile. Undefined when the tag is another's. The first
 * statement waits for whoever is taking either; the second sees what came of it.
 */
export async function claimTag(db: Db, { tenantId, environment }: Scope, tag: string): Promise<string | undefined> {
  const [, found] = await Promise.all([db.rows(insert(tenantId, environment, tag)), db.row(find(tenantId, environment))]);
  return found?.tag;
}
