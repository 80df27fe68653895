/**
 * What a tenant owes a member, in SQL, by currency and status: what is earned and neither paid nor taken back.
 * Source: docs/specification/identity.md#money-owed.
 */
import { ofTenant } from '../../../db/tenant-condition.ts';

/**
 * A query of rows `currency`, `status` and `amount_minor`, of the member `memberId`, an SQL expression. A currency counts
 * while something of it is on its way, or while the rest of it comes to more than nothing; then all of its sums are told,
 * also those below nothing. A test member of LIVE is owed nothing: no run pays it.
 */
export function owedSums(memberId: string): string {
  return `select s.currency, s.status, s.amount_minor from (
     select l.currency, l.status, sum(l.amount_minor) as amount_minor,
            sum(sum(l.amount_minor)) filter (where l.status <> 'processing') over (partition by l.currency) as rest,
            bool_or(l.status = 'processing') over (partition by l.currency) as on_its_way
     from commission_line l
     where ${ofTenant('l')} and l.beneficiary_id = ${memberId} and l.status in ('pending', 'held', 'cleared', 'processing')
       and not exists (
         select from member t where ${ofTenant('t')} and t.id = ${memberId} and t.is_test_user and :environment = 'LIVE')
     group by l.currency, l.status) s
   where s.amount_minor <> 0 and (s.rest > 0 or s.on_its_way)`;
}
