/** The tags of slugs, in SQL: one for each environment of a tenant, for ever. */
import { statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { tenantTable } from '../../db/tenant-table.ts';

const linkTag = tenantTable('link_tag');

const insert = statement<unknown, { tag: string }>('referrals_insert_tag', ({ tag }) =>
  linkTag().insert({ tag }).onConflict().ignore(),
);

const find = statement<{ tag: string }>('referrals_find_tag', () => linkTag('t').select('t.tag'));

/**
 * The scope's tag: this one, or the one it has got meanwhile. Undefined when the tag is another's. The first
 * statement waits for whoever is taking either; the second sees what came of it.
 */
export async function claimTag(db: Db, { tenantId, environment }: Scope, tag: string): Promise<string | undefined> {
  const [, found] = await Promise.all([
    db.rows(insert({ tenantId, environment }, { tag })),
    db.row(find({ tenantId, environment })),
  ]);
  return found?.tag;
}
