/** What receipts hold of a person: codes, which may be names. */
import { raw, replanned } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import type { Person, Personal } from '../../house/personal.ts';

type OfPerson = Pick<Person, 'memberId' | 'emailsNorm'> & { purchaseIds: readonly string[] };

/** A receipt keeps the text of a code that was nobody's, as whoever bought or signed up has typed it. */
const CODE_OF_NOBODY = `c ->> 'source' = 'referral_code' and c ->> 'memberId' is null`;

const erase = replanned<unknown, OfPerson>(({ memberId, emailsNorm, purchaseIds }) =>
  raw(
    `with own as (
     select r.id from attribution_receipt r
     where ${ofTenant('r')} and r.event_id = any (:purchaseIds::uuid[])
     union
     select r.id from attribution_receipt r where ${ofTenant('r')} and r.placed_member_id = :memberId
     union
     select r.id from attribution_receipt r
     where ${ofTenant('r')} and r.lead_id = any (array(
       select l.id from lead l
       where ${ofTenant('l')} and (l.email = any (:emailsNorm) or l.converted_member_id = :memberId))))
   update attribution_receipt x
   set candidates = (
     select jsonb_agg(
       case when c ->> 'source' = 'referral_code' and c ->> 'memberId' = :memberId::uuid::text
              or ${CODE_OF_NOBODY} and x.id in (select own.id from own)
            then c || '{"reference": "(erased)"}' else c end order by place)
     from jsonb_array_elements(x.candidates) with ordinality o(c, place))
   where ${ofTenant('x')}
     and (x.candidates @> jsonb_build_array(jsonb_build_object('source', 'referral_code', 'memberId', :memberId::uuid))
       or x.candidates @> '[{"source": "referral_code", "memberId": null}]' and x.id in (select own.id from own))`,
    { memberId, emailsNorm, purchaseIds },
  ),
);

/** No index has receipts by their candidates, so all of the tenant's are read, once: joined with themselves they took minutes. Whom the codes led to stays. */
async function eraseCodesNamed(db: Db, scope: Scope, { memberId, emailsNorm, purchaseIds }: Person): Promise<void> {
  await db.rows(erase(scope, { memberId, emailsNorm, purchaseIds }));
}

export const attributionPersonal: Personal = { eraseBefore: eraseCodesNamed };
