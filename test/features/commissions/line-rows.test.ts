/** A commission line is the same whichever way its row came. */
import { expect, test } from 'vitest';
import {
  lineColumns,
  lineJson,
  type NamedLineRow,
  namedLineColumns,
  namedLineJson,
  toLine,
  toNamedLine,
} from '../../../src/features/commissions/open/line-rows.ts';

const AT = '2026-01-31T12:00:00.000Z';
const LARGE = 9_007_199_254_740_993n; // more than a double holds

const row: NamedLineRow = {
  id: 'l',
  event_id: 'e',
  beneficiary_id: 'm',
  kind: 'commission',
  source: 'sales',
  level: 2,
  leg_id: 'leg',
  paid_level: 1,
  rate_bps: 0,
  flat_minor: 250n,
  multiplier_milli: 1500,
  base_minor: LARGE,
  amount_minor: -375n,
  currency: 'EUR',
  source_amount_minor: -400n,
  source_currency: 'USD',
  exchange_rate_id: 'x',
  capped_minor: 7n,
  cap: 'member_period',
  status: 'held',
  hold_cause: 'dispute',
  hold_reason: 'why',
  clears_at: new Date(AT),
  occurred_at: new Date(AT),
  created_at: new Date(AT),
  plan_version_id: 'v',
  pay_source: 'rule',
  reverses_line_id: 'o',
  about_event_id: 'p',
  cleared_journal_id: 'j',
  external_event_id: 'order-1',
};

const asJson = (of: NamedLineRow): NamedLineRow =>
  JSON.parse(JSON.stringify(of, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)));

test('of columns', () => {
  expect(toNamedLine(row)).toEqual({
    id: 'l',
    eventId: 'e',
    externalEventId: 'order-1',
    beneficiaryId: 'm',
    kind: 'commission',
    source: 'sales',
    level: 2,
    legId: 'leg',
    paidLevel: 1,
    rateBps: 0,
    flatMinor: 250n,
    multiplierMilli: 1500,
    baseMinor: LARGE,
    amountMinor: -375n,
    currency: 'EUR',
    conversion: { amountMinor: -400n, currency: 'USD', exchangeRateId: 'x' },
    cappedMinor: 7n,
    cap: 'member_period',
    status: 'held',
    holdCause: 'dispute',
    holdReason: 'why',
    clearsAt: new Date(AT),
    occurredAt: new Date(AT),
    createdAt: new Date(AT),
    planVersionId: 'v',
    paySource: 'rule',
    reversesLineId: 'o',
    aboutEventId: 'p',
    clearedJournalId: 'j',
  });
});

test('of a JSON object, to the last unit', () => {
  expect(toNamedLine(asJson(row))).toEqual(toNamedLine(row));
});

test('a line that was not converted and has no flat amount', () => {
  const plain = { ...row, flat_minor: null, source_amount_minor: null, source_currency: null, exchange_rate_id: null };
  expect(toLine(asJson(plain))).toMatchObject({ flatMinor: null, conversion: null });
});

test('the fragments select every column of the row, amounts in JSON as text', () => {
  const { external_event_id: _event, ...line } = row;
  const columns = Object.keys(line).map((column) => `l.${column}`);
  expect(lineColumns('l').split(', ').toSorted()).toEqual(columns.toSorted());
  expect(namedLineColumns('l', 'e')).toBe(`${lineColumns('l')}, e.external_event_id`);
  const members = [...lineJson('l').matchAll(/'(\w+)', l\.(\w+)(::text)?/g)];
  expect(members.map(([, name, column]) => [name, column])).toEqual(Object.keys(line).map((column) => [column, column]));
  expect(members.flatMap(([, name, , text]) => (text === undefined ? [] : [name]))).toEqual(
    Object.entries(line).flatMap(([column, value]) => (typeof value === 'bigint' ? [column] : [])),
  );
  expect(namedLineJson('l', 'e')).toBe(lineJson('l').replace(/\)$/, ", 'external_event_id', e.external_event_id)"));
});
