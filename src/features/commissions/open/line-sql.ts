/** Commission lines in SQL, for events, which pay lines and take them back. */
import { ofTenant } from '../../../db/tenant-condition.ts';
import { bornHoldReason, type NewLine } from './commission-line.ts';

/**
 * Reads what `newLineRows` has made, SQL for its JSON: rows with the columns of a line, their `id`, new unless it was given, and `n`, their place
 * in the list. The currency is null where it was left out, and `occurred_at` that of a commission.
 */
export const readNewLines = (json: string): string =>
  `select coalesce(l.given_id, uuidv7()) as id, l.* from jsonb_to_recordset(${json}::jsonb) as l(n int, given_id uuid, beneficiary_id uuid, kind text, source text,
       level smallint, paid_level smallint, rate_bps int, flat_minor bigint, multiplier_milli int, base_minor bigint,
       amount_minor bigint, currency text, source_amount_minor bigint, source_currency text, exchange_rate_id uuid,
       capped_minor bigint, cap text, status text, clears_at timestamptz, occurred_at timestamptz, plan_version_id uuid,
       calculation_hash text, reverses_line_id uuid, hold_cause text, hold_reason text, write_off_after_days int, write_off_minor bigint,
       leg_id uuid, pay_source text, about_event_id uuid)`;

/**
 * `lines` is a CTE of what `readNewLines` reads, with the `event_id` of each. `events` is one of the events: `id`, the `occurred_at`
 * and `currency` that lines without one get, and `now`, when they are made.
 */
export const insertLines = ({ lines, events }: { lines: string; events: string }): string =>
  `insert into commission_line (tenant_id, environment, id, event_id, beneficiary_id, kind, source, level, paid_level, rate_bps,
                                  flat_minor, multiplier_milli, base_minor, amount_minor, currency, source_amount_minor,
                                  source_currency, exchange_rate_id, capped_minor, cap, status, clears_at, occurred_at,
                                  plan_version_id, calculation_hash, reverses_line_id, hold_cause, hold_reason, created_at, write_off_at,
                                  write_off_minor, leg_id, pay_source, about_event_id)
     select :tenantId, :environment, l.id, e.id, l.beneficiary_id, l.kind, l.source, l.level, l.paid_level, l.rate_bps, l.flat_minor,
            l.multiplier_milli, l.base_minor, l.amount_minor, coalesce(l.currency, e.currency), l.source_amount_minor,
            l.source_currency, l.exchange_rate_id, coalesce(l.capped_minor, 0), l.cap, l.status, l.clears_at,
            coalesce(l.occurred_at, e.occurred_at), l.plan_version_id, decode(l.calculation_hash, 'base64'), l.reverses_line_id,
            l.hold_cause, l.hold_reason, e.now, e.now + l.write_off_after_days * interval '24 hours', l.write_off_minor, l.leg_id, l.pay_source,
            l.about_event_id
     from ${events} e join ${lines} l on l.event_id = e.id`;

/** Lines of an event as their JSON has them, in their order. Its currency, and what most lines do not have, does not travel with each. */
export function newLineRows(lines: readonly NewLine[], currency: string): object[] {
  return lines.map((line, n) => newLineRow(line, n, currency));
}

/** Undefined members are left out of the JSON. */
function newLineRow(line: NewLine, n: number, currency: string): object {
  return {
    n,
    given_id: line.givenId,
    beneficiary_id: line.beneficiaryId,
    kind: line.kind,
    source: line.source,
    level: line.level,
    paid_level: line.paidLevel,
    rate_bps: line.rateBps,
    flat_minor: line.flatMinor?.toString(),
    multiplier_milli: line.multiplierMilli,
    base_minor: line.baseMinor.toString(),
    amount_minor: line.amountMinor.toString(),
    currency: line.currency === currency ? undefined : line.currency,
    source_amount_minor: line.conversion?.amountMinor.toString(),
    source_currency: line.conversion?.currency,
    exchange_rate_id: line.conversion?.exchangeRateId,
    capped_minor: line.cappedMinor === 0n ? undefined : line.cappedMinor.toString(),
    cap: line.cap ?? undefined,
    status: line.status,
    hold_cause: line.holdCause ?? undefined,
    hold_reason: bornHoldReason(line) ?? undefined,
    clears_at: line.clearsAt,
    occurred_at: line.kind === 'commission' ? undefined : line.occurredAt,
    plan_version_id: line.planVersionId ?? undefined,
    calculation_hash: line.calculationHash.toString('base64'),
    reverses_line_id: line.reversesLineId ?? undefined,
    write_off_after_days: line.writeOff?.afterDays,
    write_off_minor: line.writeOff?.amountMinor.toString(),
    leg_id: line.legId ?? undefined,
    pay_source: line.paySource ?? undefined,
    about_event_id: line.aboutEventId ?? undefined,
  };
}

/** Nothing of these lines is left to be forgiven in time. `condition` is on the line `l`. */
export const endWriteOffTimes = (condition: string): string =>
  `update commission_line l set write_off_at = null
   where ${ofTenant('l')} and ${condition}`;
