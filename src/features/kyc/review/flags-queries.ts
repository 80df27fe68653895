/** What a reviewer must know of other members and of payout accounts, in SQL. Source: docs/specification/verification.md#flags. */
import { raw, statement } from '../../../db/query.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { IS_SAME_OF_ANOTHER, judgedByStated } from '../../payouts/open/account-facts.ts';

/** So many other members are named; one more tells that there are more. */
export const MOST_NAMED = 10;
/** Of an account that crowds share: more are not looked through. */
const MOST_READ = 1000;

export interface FlagRow {
  /** Other members, by their ids, one more than are named. */
  sameIdNumber: string[];
  sameAccount: string[];
  /** The newest that others have too. */
  sharedAccountId: string | null;
  /** The newest active one whose holder has another name than is stated, which nobody has accepted. */
  mismatchedAccountId: string | null;
}

const active = (match: 'matched' | 'mismatch', names: string): string => `
  from payout_account a left join member_profile p on ${ofTenant('p')} and p.member_id = a.member_id
  where ${ofTenant('a')} and a.member_id = :memberId and a.status = 'active' and a.name_match = '${match}'
    and ${judgedByStated(names)}`;

/** The names' digest is that of the profile now. */
export const flagsStatement = statement<FlagRow, { memberId: string; names: Buffer }>('kyc_review_flags', ({ memberId, names }) =>
  raw(
    `with shared as (
         select a.id, o.member_id
         from payout_account a join payout_account o on ${IS_SAME_OF_ANOTHER}
         where ${ofTenant('a')} and a.member_id = :memberId and a.status <> 'deactivated'
         order by a.id desc limit ${MOST_READ})
       select array(
                select o.member_id::text from member_profile p
                join member_profile o on ${ofTenant('o')} and o.id_number_digest = p.id_number_digest and o.member_id <> p.member_id
                where ${ofTenant('p')} and p.member_id = :memberId and p.id_number_sealed is not null and o.id_number_sealed is not null
                order by o.member_id limit ${MOST_NAMED + 1}) as "sameIdNumber",
              array(select distinct s.member_id::text from shared s order by 1 limit ${MOST_NAMED + 1}) as "sameAccount",
              (select s.id from shared s order by s.id desc limit 1) as "sharedAccountId",
              (select a.id ${active('mismatch', ':names')} and a.name_accepted_at is null order by a.id desc limit 1) as "mismatchedAccountId"`,
    { memberId, names },
  ),
);

/** Whether active accounts of the person are held under the stated name; null: none was compared with it. */
export const holdersStatement = statement<{ matches: boolean | null }, { memberId: string; names: Buffer }>(
  'kyc_findings_holders',
  ({ memberId, names }) =>
    raw(
      `select case when exists (select ${active('mismatch', ':names')} and a.holder_type = 'individual') then false
                   when exists (select ${active('matched', ':names')} and a.holder_type = 'individual') then true end as matches`,
      { memberId, names },
    ),
);
