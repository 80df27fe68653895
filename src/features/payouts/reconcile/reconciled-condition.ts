/** What a reconciliation after a restore made of a payout, in SQL. Source: docs/specification/payouts.md#reconcile. */
import { ofTenant } from '../../../db/tenant-condition.ts';
import { toldOf } from '../../audit/open/told-of.ts';

/** That `a`, an execution, is the present one of a payout `p`, which was begun and of which no transfer is known. */
export const IS_UNANSWERED = `${ofTenant('a')} and a.payout_id = p.id and a.attempt = p.attempt
     and p.check_at is not null and p.status = 'processing' and a.transfer_id is null`;

/** What a payout `p` was judged to be. There are few of each, found without reading the others: it is planned for what `:reconciled` is. */
export const IS_RECONCILED_AS = `case :reconciled::text
   when 'recorded' then p.id = any (${toldOf('payout.reconciled')})
   when 'not_sent' then p.failure_code = 'RESTORED' and p.status = 'cancelled'
   else p.check_at is not null and exists (select from payout_attempt a where ${IS_UNANSWERED}) end`;
