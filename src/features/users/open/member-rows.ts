/** Members as rows of a file: the same rules as for POST /users, with more ways to name a sponsor. */
import { z } from 'zod';
import { booleanOf, type Cells, type RowFault, toRowFaults } from '../../../documents/csv-row.ts';
import { inPlainWords } from '../../../http/field-faults.ts';
import { email, type MembershipTier, normaliseEmail, text } from '../../../http/schemas.ts';
import { type NewMemberInput, newMemberBody } from './new-member.ts';
import { customCode } from './referral-code.ts';

const SPONSOR_COLUMNS = ['sponsor_email', 'sponsor_external_id', 'sponsor_code', 'parent_id'] as const;

export const MEMBER_COLUMNS: readonly string[] = [
  'email',
  'name',
  'external_id',
  'membership_tier',
  'group',
  'joined_at',
  ...SPONSOR_COLUMNS,
  'is_active',
  'can_recruit',
  'pay_currency',
  'referral_code',
];

/** A member as its row has it; what is absent has the default of POST /users. */
export interface MemberRow {
  email: string;
  name?: string | undefined;
  externalId?: string | undefined;
  membershipTier?: MembershipTier | undefined;
  group?: string | undefined;
  /** An ISO instant. */
  joinedAt?: string | undefined;
  isActive?: boolean | undefined;
  canRecruit?: boolean | undefined;
  payCurrency?: string | undefined;
  /** The member's own; without one it is drawn. */
  referralCode?: string | undefined;
  /** At most one of these names the sponsor, but for a code that a row of the file brings: that row's email stands beside it. */
  parentId?: string | undefined;
  sponsorCode?: string | undefined;
  sponsorEmail?: string | undefined;
  sponsorExternalId?: string | undefined;
}

export interface ReadMemberRow {
  member: MemberRow | undefined;
  faults: RowFault[];
  /** How other rows may name it, as far as the cells are sound. */
  emailNorm: string | undefined;
  externalId: string | undefined;
  code: string | undefined;
}

/** Those that POST /users has not. Its `referral_code` is the sponsor's. */
const furtherCells = z.object({
  referral_code: customCode.optional(),
  sponsor_email: email.optional(),
  sponsor_external_id: text(255).optional(),
  sponsor_code: text(64).optional(),
});

export function readMemberRow(cells: Cells): ReadMemberRow {
  const { referral_code, sponsor_email, sponsor_external_id, sponsor_code, ...rest } = cells;
  const own = newMemberBody.safeParse(
    {
      ...rest,
      ...(rest['is_active'] !== undefined && { is_active: booleanOf(rest['is_active']) }),
      ...(rest['can_recruit'] !== undefined && { can_recruit: booleanOf(rest['can_recruit']) }),
    },
    inPlainWords,
  );
  const further = furtherCells.safeParse({ referral_code, sponsor_email, sponsor_external_id, sponsor_code }, inPlainWords);
  const faults = [...(own.success ? [] : toRowFaults(own.error)), ...(further.success ? [] : toRowFaults(further.error))];
  const named = SPONSOR_COLUMNS.filter((column) => cells[column] !== undefined);
  for (const column of named.slice(1)) faults.push({ field: column, message: `must be empty beside ${named[0]}` });
  const isSound = (column: string): boolean => cells[column] !== undefined && !faults.some(({ field }) => field === column);
  return {
    member: faults.length === 0 && own.success && further.success ? memberOf(own.data, further.data) : undefined,
    faults,
    emailNorm: isSound('email') ? normaliseEmail(cells['email'] ?? '') : undefined,
    externalId: isSound('external_id') ? cells['external_id'] : undefined,
    code: isSound('referral_code') ? referral_code?.toUpperCase() : undefined,
  };
}

function memberOf(own: NewMemberInput, further: z.output<typeof furtherCells>): MemberRow {
  return {
    email: own.email,
    name: own.name ?? undefined,
    externalId: own.external_id ?? undefined,
    membershipTier: own.membership_tier ?? undefined,
    group: own.group ?? undefined,
    joinedAt: own.joined_at ?? undefined,
    isActive: own.is_active ?? undefined,
    canRecruit: own.can_recruit ?? undefined,
    payCurrency: own.pay_currency ?? undefined,
    referralCode: further.referral_code,
    parentId: own.parent_id ?? undefined,
    sponsorCode: further.sponsor_code,
    sponsorEmail: further.sponsor_email && normaliseEmail(further.sponsor_email),
    sponsorExternalId: further.sponsor_external_id,
  };
}

/** A code as rows of a file bring it; undefined for what can be none of them. */
export function ownCodeOf(code: string | undefined): string | undefined {
  return customCode.safeParse(code).data;
}
