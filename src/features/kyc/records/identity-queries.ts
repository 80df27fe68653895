/** Whom a verification is of, in SQL: what the approval was given for, and changes of it since. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { scopeNow } from '../../../db/scope-clock.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import type { IdentityDigests } from '../../../house/personal.ts';

const kycRecord = tenantTable('kyc_record');

const change = statement<unknown, { id: string; wasApproved: boolean }>('kyc_identity_changed', ({ id, wasApproved }) =>
  kycRecord()
    .where({ id })
    .update({
      identity_version: raw('identity_version + 1'),
      identity_changed_at: raw('case when :wasApproved then scope_now(:tenantId, :environment) else identity_changed_at end', {
        wasApproved,
      }),
      updated_at: scopeNow,
    }),
);

/** The member of a record that is locked is another person than before. */
export async function noteIdentityChange(db: Db, scope: Scope, id: string, wasApproved: boolean): Promise<void> {
  await db.rows(change(scope, { id, wasApproved }));
}

const correct = statement<unknown, { id: string; identity: Buffer; names: Buffer }>(
  'kyc_identity_corrected',
  ({ id, identity, names }) =>
    kycRecord().where({ id }).update({ identity_digest: identity, names_digest: names, updated_at: scopeNow }),
);

/** What the approval of a locked record is for was written wrongly. */
export async function correctIdentity(db: Db, scope: Scope, id: string, { identity, names }: IdentityDigests): Promise<void> {
  await db.rows(correct(scope, { id, identity, names }));
}

const see = statement<unknown, { id: string }>('kyc_identity_seen', ({ id }) =>
  kycRecord()
    .where({ id })
    .update({ identity_seen: raw('identity_version') }),
);

/** What a locked record is reviewed by was made of the person that the profile has now. */
export async function noteIdentitySeen(db: Db, scope: Scope, id: string): Promise<void> {
  await db.rows(see(scope, { id }));
}
