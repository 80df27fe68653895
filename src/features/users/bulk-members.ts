/** Members of a file, up to a thousand at once: each is inserted as POST /users would, or has its faults. */
import type { ActingScope } from '../../actor.ts';
import type { WriteDb } from '../../db/scope.ts';
import type { RowFault, RowOutcome } from '../../documents/csv-row.ts';
import { faultPoint } from '../../fault-points.ts';
import type { GroupsOffers } from '../groups/groups-feature.ts';
import { tell } from '../webhooks/webhooks-service.ts';
import { type CheckedMember, checkMembers, insertMembers, type NumberedMember } from './bulk-members-queries.ts';
import { countJoined, type NewDescendant } from './count-joined.ts';
import { readNow } from './history-queries.ts';
import type { MemberRow } from './open/member-rows.ts';
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

/** Rows of one transaction. What they add to the counts is written by `close`, once for all of them. */
export interface MemberRows {
  /**
   * No two of them may have the same email, external id or code, and none the sponsor's row of another. `later` for a row that
   * somebody else's came before.
   */
  insert(members: readonly MemberToInsert[]): Promise<Map<number, RowOutcome>>;
  close(): Promise<void>;
}

export function openMemberRows(
  db: WriteDb,
  scope: ActingScope,
  options: BulkOptions,
  groups: Pick<GroupsOffers, 'findClosed'>,
): MemberRows {
  const joined: NewDescendant[] = [];
  let locked = false;

  /** The lock is held to the end of the transaction; a dry run has no need of it. */
  async function checkBehindLock(members: readonly NumberedMember[]): Promise<CheckedMember[]> {
    const locking = locked || options.dryRun ? undefined : db.rows(lockTreeForInsert(scope));
    locked = true;
    const [checked] = await Promise.all([checkMembers(db, scope, members), locking]);
    return checked;
  }

  async function insertSound(sound: readonly (NumberedMember & { sponsorId: string | null })[]): Promise<Set<number>> {
    const inserted = await insertMembers(db, scope, sound);
    await faultPoint('member:written');
    joined.push(...inserted);
    for (const { id, convertedLeadId } of inserted) {
      tell(db, scope.provenance, 'member.created', id);
      if (convertedLeadId !== null) tell(db, scope.provenance, 'lead.converted', convertedLeadId);
    }
    return new Set(inserted.map(({ rowNumber }) => rowNumber));
  }

  return {
    async insert(members) {
      const [now, closed] = await Promise.all([
        readNow(db, scope),
        groups.findClosed(
          db,
          scope,
          members.flatMap(({ member }) => member.group ?? []),
        ),
      ]);
      const checked = await checkBehindLock(members);
      const checks = new Map(checked.map((check) => [check.rowNumber, check]));
      const outcomes = new Map<number, RowOutcome>();
      const sound: (NumberedMember & { sponsorId: string | null })[] = [];
      for (const member of members) {
        const check = checks.get(member.rowNumber);
        if (!check) throw new Error('a row was not checked');
        const ownFaults = faultsOf(member, { now, closed });
        const outcome = judge(member, check, options, ownFaults);
        outcomes.set(member.rowNumber, outcome);
        if (outcome === 'done') sound.push({ ...member, sponsorId: check.sponsorId });
      }
      if (options.dryRun || sound.length === 0) return outcomes;
      const inserted = await insertSound(sound);
      for (const { rowNumber } of sound) if (!inserted.has(rowNumber)) outcomes.set(rowNumber, 'later');
      return outcomes;
    },
    close: () => countJoined(db, scope, joined),
  };
}

/** Of the group and the date that a row names. */
function faultsOf({ member }: MemberToInsert, { now, closed }: { now: Date; closed: ReadonlySet<string> }): RowFault[] {
  const faults: RowFault[] = [];
  if (member.group !== undefined && closed.has(member.group)) faults.push({ field: 'group', message: 'is not an active group' });
  if (member.joinedAt !== undefined && Date.parse(member.joinedAt) > now.getTime()) {
    faults.push({ field: 'joined_at', message: 'must not be in the future' });
  }
  return faults;
}

function judge(
  { member, sponsorRow }: MemberToInsert,
  checked: CheckedMember,
  { dryRun, last }: BulkOptions,
  ownFaults: readonly RowFault[],
): RowOutcome {
  const faults: RowFault[] = [...ownFaults];
  if (checked.emailTaken)
    faults.push({ field: 'email', code: 'EMAIL_EXISTS', message: 'A member with this email already exists' });
  if (checked.externalIdTaken) {
    faults.push({ field: 'external_id', code: 'EXTERNAL_ID_EXISTS', message: 'A member with this external_id already exists' });
  }
  if (checked.codeTaken) {
    faults.push({ field: 'referral_code', code: 'CODE_TAKEN', message: 'A member has this referral code, or had it' });
  }
  const field = sponsorColumnOf(member);
  if (field === undefined) return faults.length > 0 ? faults : 'done';
  // Whoever else has the code that the row was to bring is somebody else.
  const isOfLostRow = sponsorRow?.failed === true && member.sponsorCode !== undefined && member.sponsorEmail === undefined;
  if (isOfLostRow) faults.push(sponsorFailed(field));
  else if (checked.sponsorId !== null) {
    if (checked.sponsorRecruits !== true) faults.push(mayNotRecruit(field));
  } else if (sponsorRow?.failed === true) {
    faults.push(sponsorFailed(field));
  } else if (sponsorRow === null || (last && !dryRun)) faults.push(unknownSponsor(field));
  else if (!dryRun) return faults.length > 0 ? faults : 'later';
  else if (!sponsorRow.recruits) faults.push(mayNotRecruit(field));
  return faults.length > 0 ? faults : 'done';
}

function sponsorFailed(field: string): RowFault {
  return { field, code: 'SPONSOR_FAILED', message: "The sponsor's row of this file has failed" };
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
