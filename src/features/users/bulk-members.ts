/** Members of a file, up to a thousand at once: each is inserted as POST /users would, or has its faults. */
import type { Scope, WriteDb } from '../../db/frame.ts';
import type { RowFault, RowOutcome } from '../../documents/csv-row.ts';
import { faultPoint } from '../../fault-points.ts';
import { type CheckedMember, checkMembers, insertMembers, type NumberedMember } from './bulk-members-queries.ts';
import type { MemberRow } from './member-rows.ts';
import { lockTreeForInsert } from './users-queries.ts';

/** A row whose sponsor, if it is of the file, was decided before. */
export interface MemberToInsert extends NumberedMember {
  /** The sponsor's row of this file. */
  sponsorRow: { failed: boolean; recruits: boolean } | null;
}

export interface BulkOptions {
  /** Only finds faults: what would be inserted is `done`. */
  dryRun: boolean;
  /** Nothing else is under way: a sponsor that is not there now will not come. */
  last: boolean;
}

/** No two of them may have the same email or external id. `later` for a row that somebody else's came before. */
export async function insertMemberRows(
  db: WriteDb,
  scope: Scope,
  members: readonly MemberToInsert[],
  { dryRun, last }: BulkOptions,
): Promise<Map<number, RowOutcome>> {
  await db.rows(lockTreeForInsert(scope.tenantId, scope.environment));
  const checks = new Map((await checkMembers(db, scope, members)).map((checked) => [checked.rowNumber, checked]));
  const outcomes = new Map<number, RowOutcome>();
  const sound: (NumberedMember & { sponsorId: string | null })[] = [];
  for (const member of members) {
    const checked = checks.get(member.rowNumber);
    if (!checked) throw new Error('a row was not checked');
    const outcome = judge(member, checked, { dryRun, last });
    outcomes.set(member.rowNumber, outcome);
    if (outcome === 'done') sound.push({ ...member, sponsorId: checked.sponsorId });
  }
  if (dryRun || sound.length === 0) return outcomes;
  const inserted = new Set(await insertMembers(db, scope, sound));
  await faultPoint('member:written');
  for (const { rowNumber } of sound) if (!inserted.has(rowNumber)) outcomes.set(rowNumber, 'later');
  return outcomes;
}

function judge({ member, sponsorRow }: MemberToInsert, checked: CheckedMember, { dryRun, last }: BulkOptions): RowOutcome {
  const faults: RowFault[] = [];
  if (checked.emailTaken)
    faults.push({ field: 'email', code: 'EMAIL_EXISTS', message: 'A member with this email already exists' });
  if (checked.externalIdTaken) {
    faults.push({ field: 'external_id', code: 'EXTERNAL_ID_EXISTS', message: 'A member with this external_id already exists' });
  }
  const field = sponsorColumnOf(member);
  if (field === undefined) return faults.length > 0 ? faults : 'done';
  if (checked.sponsorId !== null) {
    if (checked.sponsorRecruits !== true) faults.push(mayNotRecruit(field));
  } else if (sponsorRow?.failed === true) {
    faults.push({ field, code: 'SPONSOR_FAILED', message: "The sponsor's row of this file has failed" });
  } else if (sponsorRow === null || (last && !dryRun)) faults.push(unknownSponsor(field));
  else if (!dryRun) return faults.length > 0 ? faults : 'later';
  else if (!sponsorRow.recruits) faults.push(mayNotRecruit(field));
  return faults.length > 0 ? faults : 'done';
}

function mayNotRecruit(field: string): RowFault {
  return { field, code: 'RECRUITING_DISABLED', message: 'The sponsor may not recruit' };
}

function unknownSponsor(field: string): RowFault {
  if (field === 'sponsor_code') return { field, message: 'is not an active referral code' };
  const message =
    field === 'parent_id'
      ? 'is not a member of this tenant and environment'
      : 'is neither a member of this tenant and environment nor a row of this file';
  return { field, code: 'USER_NOT_FOUND', message };
}

function sponsorColumnOf(member: MemberRow): string | undefined {
  if (member.parentId !== undefined) return 'parent_id';
  if (member.sponsorCode !== undefined) return 'sponsor_code';
  if (member.sponsorEmail !== undefined) return 'sponsor_email';
  return member.sponsorExternalId === undefined ? undefined : 'sponsor_external_id';
}
