/** Slugs of one's own, in SQL: whose each is, among all tenants and for ever. */
import { statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { slugDigest } from './slugs.ts';

const linkSlug = tenantTable('link_slug');

const insert = statement<{ slug_digest: Buffer }, { digest: Buffer }>('referrals_claim_slug', ({ digest }) =>
  linkSlug().insert({ slug_digest: digest }).onConflict().ignore().returning('slug_digest'),
);

/** False when somebody has it, or had it. Waits for whoever is taking it. */
export async function claimSlug(db: Db, { tenantId, environment }: Scope, slug: string): Promise<boolean> {
  return (await db.row(insert({ tenantId, environment }, { digest: slugDigest(slug) }))) !== undefined;
}
