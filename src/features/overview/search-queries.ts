/** Finding records, in SQL: everything by an index, at most so many of a kind. */
import { raw, statement } from '../../db/query.ts';
import type { Scope } from '../../db/scope.ts';
import type { Statement } from '../../db/statement.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import type { Found, FoundKind } from './found.ts';

export type FoundRow = Omit<Found, 'kind'>;

/** What is looked for, in the forms that the columns have. */
export interface Sought {
  id: string | null;
  /** As it was typed, without blanks at its ends. */
  text: string;
  emailNorm: string;
  nameNorm: string;
  /** Of several words: all but the last, and the last; null of one. */
  firstWords: string | null;
  lastWord: string | null;
  /** The end of an address, where one was pasted. */
  slug: string;
  most: number;
}

const AFTER_ALL = `|| U&'\\+10FFFF'`;
/** What begins so, as a range: the reason is at `rangeOf` of the list of members. */
const begins = (column: string, text: string): string => `${column} >= ${text} and ${column} < ${text} ${AFTER_ALL}`;

const MEMBER = `m.id, coalesce(m.name, m.email) as title, case when m.name is null then m.external_id else m.email end as subtitle,
  case when m.erased_at is not null then 'erased' when m.is_active then 'active' else 'inactive' end as state,
  m.id as "userId", null::uuid as "eventId"`;

/** One way to members: its rank among them, and the first of those that it finds. */
const way = (rank: number, condition: string, order: string): string =>
  `(select ${rank} as rank, m.id, m.name_norm from member m where ${ofTenant('m')} and ${condition} order by ${order} limit :most)`;

const members = statement<FoundRow, Omit<Sought, 'slug'>>(
  'search_members',
  ({ id, text, emailNorm, nameNorm, firstWords, lastWord, most }) =>
    raw(
      `with hit as (
         ${[
           way(0, 'm.id = :id::uuid', 'm.id'),
           way(0, 'm.external_id = :text', 'm.id'),
           way(0, 'm.email_norm = :emailNorm', 'm.id'),
           way(1, begins('m.name_norm', ':nameNorm::text'), 'm.name_norm, m.id'),
           way(2, begins('m.name_rest', ':nameNorm::text'), 'm.name_rest, m.name_norm, m.id'),
           way(2, begins('m.name_last', ':nameNorm::text'), 'm.name_last, m.name_norm, m.id'),
           way(
             2,
             `${begins('m.name_rest', ':firstWords::text')} and ${begins('m.name_norm', ':lastWord::text')}`,
             'm.name_rest, m.name_norm, m.id',
           ),
           way(3, begins('m.email_norm', ':emailNorm::text'), 'm.email_norm'),
         ].join(' union all ')}),
       best as (select h.id, min(h.rank) as rank, min(h.name_norm) as name_norm from hit h group by h.id
                order by 2, 3, 1 limit :most)
       select ${MEMBER}, best.rank = 0 as exact
       from best join member m on ${ofTenant('m')} and m.id = best.id
       order by best.rank, best.name_norm, best.id`,
      { id, text, emailNorm, nameNorm, firstWords, lastWord, most },
    ),
);

const events = statement<FoundRow, Pick<Sought, 'id' | 'text'>>('search_events', ({ id, text }) =>
  raw(
    `select e.id, e.external_event_id as title, e.kind as subtitle, e.status as state, e.attributed_member_id as "userId",
            null::uuid as "eventId", true as exact
     from event e where ${ofTenant('e')} and (e.id = :id::uuid or e.external_event_id = :text)`,
    { id, text },
  ),
);

const commissions = statement<FoundRow, Pick<Sought, 'id'>>('search_commissions', ({ id }) =>
  raw(
    `select l.id, e.external_event_id as title, l.kind as subtitle, l.status as state, l.beneficiary_id as "userId",
            l.event_id as "eventId", true as exact
     from commission_line l join event e on ${ofTenant('e')} and e.id = l.event_id
     where ${ofTenant('l')} and l.id = :id::uuid`,
    { id },
  ),
);

const leads = statement<FoundRow, Pick<Sought, 'id' | 'emailNorm'>>('search_leads', ({ id, emailNorm }) =>
  raw(
    `select l.id, coalesce(l.name, l.email) as title, l.email as subtitle, l.conversion_status as state,
            l.referrer_user_id as "userId", null::uuid as "eventId", true as exact
     from lead l where ${ofTenant('l')} and (l.id = :id::uuid or l.email = :emailNorm)`,
    { id, emailNorm },
  ),
);

const codes = statement<FoundRow, Pick<Sought, 'id' | 'text'>>('search_codes', ({ id, text }) =>
  raw(
    `select c.id, c.code as title, m.email as subtitle, c.status as state, c.member_id as "userId", null::uuid as "eventId",
            true as exact
     from referral_code c left join member m on ${ofTenant('m')} and m.id = c.member_id
     where ${ofTenant('c')} and (c.id = :id::uuid or c.code = upper(:text))`,
    { id, text },
  ),
);

const links = statement<FoundRow, Pick<Sought, 'id' | 'slug'>>('search_links', ({ id, slug }) =>
  raw(
    `select l.id, l.slug as title, l.name as subtitle, l.status as state, l.member_id as "userId", null::uuid as "eventId",
            true as exact
     from referral_link l where ${ofTenant('l')} and (l.id = :id::uuid or l.slug = :slug or l.slug = lower(:slug))`,
    { id, slug },
  ),
);

const runs = statement<FoundRow, Pick<Sought, 'id'>>('search_payout_runs', ({ id }) =>
  raw(
    `select r.id, r.currency || ' ' || to_char(r.cutoff_at at time zone 'UTC', 'YYYY-MM-DD') as title, null as subtitle,
            r.status as state, null::uuid as "userId", null::uuid as "eventId", true as exact
     from payout_run r where ${ofTenant('r')} and r.id = :id::uuid`,
    { id },
  ),
);

const payouts = statement<FoundRow, Pick<Sought, 'id'>>('search_payouts', ({ id }) =>
  raw(
    `select p.id, p.id::text as title, m.email as subtitle, p.status as state, p.member_id as "userId", null::uuid as "eventId",
            true as exact
     from payout p left join member m on ${ofTenant('m')} and m.id = p.member_id
     where ${ofTenant('p')} and p.id = :id::uuid`,
    { id },
  ),
);

/** A tenant has few. */
const keys = statement<FoundRow, Pick<Sought, 'id' | 'text' | 'most'>>('search_api_keys', ({ id, text, most }) =>
  raw(
    `select k.id, coalesce(k.name, '…' || k.last_four) as title, '…' || k.last_four as subtitle,
            case when k.revoked_at is not null then 'revoked' when k.disabled_at is not null then 'disabled'
                 when k.expires_at <= now() then 'expired' else 'active' end as state,
            null::uuid as "userId", null::uuid as "eventId", k.id = :id::uuid is true or k.last_four = right(:text, 4) as exact
     from api_key k
     where ${ofTenant('k')}
       and (k.id = :id::uuid or k.last_four = right(:text, 4) and length(:text) >= 4 or strpos(lower(k.name), lower(:text)) > 0)
     order by 7 desc, k.revoked_at is not null, k.id desc limit :most`,
    { id, text, most },
  ),
);

/** How each kind is found; null where what is sought cannot name one. */
export const SEARCHES: Readonly<Record<FoundKind, (scope: Scope, sought: Sought) => Statement<FoundRow> | null>> = {
  member: (scope, sought) => members(scope, sought),
  event: (scope, sought) => events(scope, sought),
  commission: (scope, sought) => (sought.id === null ? null : commissions(scope, sought)),
  lead: (scope, sought) => leads(scope, sought),
  referral_code: (scope, sought) => codes(scope, sought),
  referral_link: (scope, sought) => links(scope, sought),
  payout_run: (scope, sought) => (sought.id === null ? null : runs(scope, sought)),
  payout: (scope, sought) => (sought.id === null ? null : payouts(scope, sought)),
  api_key: (scope, sought) => keys(scope, sought),
};
