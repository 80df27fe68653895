/** What a preview says of each line, as a view alone. */
import { expect, test } from 'vitest';
import { changeInWords, drawPreview, previewFacts } from '../../../src/features/dashboard/sales/preview-view.ts';
import { markOf, type Preview } from '../../../src/features/dashboard/sales/reversal-ground.ts';
import { html } from '../../../src/pages/html.ts';
import { namesFrom } from '../../../src/pages/parts/member-names.ts';
import { wordsOf } from '../../support/pages/follow.ts';
import { viewContext } from '../../support/pages/view-context.ts';

const IDA = '0198c0de-0000-7000-8000-000000000001';
const page = viewContext();
const names = namesFrom(page, [{ id: IDA, name: '<b>Ida</b>', email: 'ida@test.example' }]);

const line: Preview['lines'][number] = {
  commission_id: '0198c0de-0000-7000-8000-00000000000a',
  user_id: IDA,
  kind: 'commission',
  level: 2,
  paid_level: 1,
  currency: 'EUR',
  amount_minor: 1000,
  taken_before_minor: 300,
  change_minor: -700,
  remaining_minor: 0,
  written_off_minor: 0,
  entry: 'reversal',
  status_before: 'pending',
  status_after: 'reversed',
  is_void: false,
};

function preview(more: Partial<Preview> = {}): Preview {
  return {
    kind: 'refund',
    purchase: { event_id: IDA, external_event_id: 'order-1' },
    dispute_id: null,
    stage: null,
    amount_minor: 7000,
    currency: 'EUR',
    refunded_minor: 10_000,
    remaining_minor: 0,
    breakage_minor: 0,
    lines: [line],
    commissions: [],
    moved_commission_ids: [],
    totals: [
      { currency: 'EUR', before_minor: 700, change_minor: -700, remaining_minor: 0, written_off_minor: 0 },
    ] as Preview['totals'],
    balances: null,
    ...more,
  };
}

const drawn = (more: Partial<Preview> = {}) => html`${drawPreview(page, { preview: preview(more), names })}`;
const said = (more: Partial<Preview> = {}) => wordsOf(drawn(more));

test('a line tells what was paid, what went before, what is left, and the state it comes to', () => {
  expect(said()).toContain('€10.00 was paid, €3.00 of it was taken back before, nothing is left.');
  expect(said()).toContain('pending → becomes reversed');
  expect(said()).toContain('-€7.00');
  expect(drawn().text).not.toContain('<b>Ida');
});

test('a voided line, a clawback, what the company bears and what is recovered are told', () => {
  expect(said({ lines: [{ ...line, is_void: true, change_minor: 0 }] })).toContain('It was voided, so nothing changes it.');
  const clawback = { ...line, entry: 'clawback', status_before: 'paid', status_after: 'paid' } as const;
  expect(said({ lines: [clawback] })).toContain('It was paid out: the member owes this');
  expect(said({ lines: [{ ...clawback, written_off_minor: 200 }] })).toContain('The company bears €2.00 of it.');
  expect(said({ lines: [{ ...clawback, written_off_minor: -200 }] })).toContain('€2.00 that was forgiven is recovered first.');
});

test('a sale that paid nobody gives nothing back', () => {
  expect(said({ lines: [], totals: [] })).toContain('The sale paid nobody');
  expect(changeInWords(page, preview({ lines: [], totals: [] }))).toBeUndefined();
  expect(wordsOf(previewFacts(page, preview({ lines: [], totals: [] }), 10_000))).toContain('Commissions change by €0.00');
});

test('who falls below zero is marked; a role that sees no balances sees no card of them', () => {
  const balance = {
    user_id: IDA,
    currency: 'EUR',
    pending_before_minor: 0,
    pending_after_minor: 0,
    cleared_before_minor: 100,
    cleared_after_minor: -600,
    becomes_negative: true,
  } as NonNullable<Preview['balances']>[number];
  const words = said({ balances: [balance] });
  expect(words).toContain('One member falls below zero');
  expect(words).toContain('will owe');
  expect(words).toContain('-€6.00 was €1.00');
  expect(said({ balances: null })).not.toContain('Balances');
  const exact = { ...balance, cleared_after_minor: null, cleared_after_minor_exact: '-2000000000000000' } as typeof balance;
  expect(said({ balances: [exact] })).toContain('-€20,000,000,000,000.00');
});

test('the button names the sum in each currency', () => {
  expect(changeInWords(page, preview())).toBe('€7.00 of one member');
  const usd = { ...line, user_id: `${IDA.slice(0, -1)}2`, currency: 'USD', change_minor: -50 };
  const totals = [...preview().totals, { ...preview().totals[0], currency: 'USD', change_minor: -50 }] as Preview['totals'];
  expect(changeInWords(page, preview({ lines: [line, usd], totals }))).toBe('€7.00 and US$0.50 of 2 members');
});

test('the mark of a preview changes with each cent and state, and not with the order of the lines', () => {
  const other = { ...line, commission_id: '0198c0de-0000-7000-8000-00000000000b' };
  const mark = markOf(preview({ lines: [line, other] }));
  expect(markOf(preview({ lines: [other, line] }))).toBe(mark);
  expect(markOf(preview({ lines: [line, { ...other, change_minor: -699 }] }))).not.toBe(mark);
  expect(markOf(preview({ lines: [line, { ...other, status_after: 'held' }] }))).not.toBe(mark);
  expect(markOf(preview({ lines: [line, other], refunded_minor: 9_999 }))).not.toBe(mark);
});
