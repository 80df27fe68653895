/** The doctor on payouts: each breach is planted past every trigger and key, and exactly the audits named report it. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { payoutsAudits } from '../../src/features/payouts/payouts-audits.ts';
import { apiClient } from '../support/app/api-client.ts';
import { examineBooks } from '../support/app/examine-books.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { expectCleanBooks } from '../support/money/model-books.ts';
import { newUpline } from '../support/money/model-upline.ts';
import { payOut, returnPayout } from '../support/money/pay-out.ts';
import { type PlantedPayout, plantAccount, plantPayout } from '../support/payments/plant-payout.ts';

let app: TestApp;
let member: string;
let other: string;
/** Of the other. */
let spare: string;
/** On its way, beside one that was paid and one that came back. */
let paid: PlantedPayout;

beforeAll(async () => {
  app = await startTestApp({}, 'own');
  await app.database.asSuperuser('create schema kept');
  const tenant = await app.newTenant();
  const client = apiClient(app, tenant.liveKey);
  [member = '', other = ''] = (await newUpline(client, 'D D')).map(({ id }) => id);
  const lines: string[] = [];
  for (let i = 0; i < 3; i++) {
    const { body } = await client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: member } }));
    lines.push(body.commissions[0].id);
  }
  const scope = { tenantId: tenant.tenantId, environment: 'LIVE' } as const;
  const { accountId } = await plantAccount(app, scope, member);
  ({ accountId: spare } = await plantAccount(app, scope, other));
  const gone = await client.newMember();
  await client.post(`/api/v1/members/${gone.id}/erasure`, {});
  await app.runSweep('fold-commissions');
  paid = await plantPayout(app, scope, { memberId: member, accountId, lineIds: [lines[0] ?? ''] });
  await payOut(app, lines.slice(1));
  await app.runSweep('fold-commissions');
  await returnPayout(app, lines.slice(1));
  await payOut(app, lines.slice(2));
});
afterAll(() => app.close());

async function plant(sql: string): Promise<void> {
  await app.database.asSuperuser(`set session_replication_role = replica; ${sql}; reset session_replication_role`);
}

interface Plant {
  label: string;
  /** Every audit that must report it, and no other may. */
  reported: string[];
  sql: () => string;
  undo: () => string;
}

const plants: Plant[] = [
  {
    label: 'a commission in no live payout while it is being paid',
    reported: ['I-6', 'P-2'],
    sql: () => `update payout_line set live = false where payout_id = '${paid.payoutId}'`,
    undo: () => `update payout_line set live = true where payout_id = '${paid.payoutId}'`,
  },
  {
    label: 'a payout that failed and holds its commission as if it were on its way',
    reported: ['I-6', 'I-7', 'P-2'],
    sql: () => `update payout set status = 'failed' where id = '${paid.payoutId}'`,
    undo: () => `update payout set status = 'processing' where id = '${paid.payoutId}'`,
  },
  {
    label: 'a payout whose transfer was never taken back',
    reported: ['I-6', 'I-7', 'P-2', 'P-3'],
    sql: () => `update payout set status = 'failed' where id = '${paid.payoutId}';
      update payout_attempt set outcome = 'failed' where payout_id = '${paid.payoutId}'`,
    undo: () => `update payout set status = 'processing' where id = '${paid.payoutId}';
      update payout_attempt set outcome = null where payout_id = '${paid.payoutId}'`,
  },
  {
    label: 'a payout that says paid while its execution has not ended',
    reported: ['I-6', 'I-7'],
    sql: () => `update payout set status = 'paid', paid_at = now() where id = '${paid.payoutId}'`,
    undo: () => `update payout set status = 'processing', paid_at = null where id = '${paid.payoutId}'`,
  },
  {
    label: 'two primary accounts of a member',
    reported: ['I-12'],
    sql: () => `drop index payout_account_primary_key; create table kept.a as select * from payout_account where is_primary;
      update kept.a set id = uuidv7(), fingerprint = sha256(fingerprint); insert into payout_account select * from kept.a`,
    undo: () => `delete from payout_account where id in (select id from kept.a); drop table kept.a;
      create unique index payout_account_primary_key on payout_account (tenant_id, environment, member_id) where is_primary`,
  },
  {
    label: 'a payout of more than its commissions',
    reported: ['P-1', 'P-3'],
    sql: () => `update payout set amount_minor = amount_minor + 1 where id = '${paid.payoutId}'`,
    undo: () => `update payout set amount_minor = amount_minor - 1 where id = '${paid.payoutId}'`,
  },
  {
    label: 'a payout whose draft took another sum than its commissions',
    reported: ['P-1'],
    sql: () => `update payout set lines_minor = amount_minor + 1 where id = '${paid.payoutId}'`,
    undo: () => `update payout set lines_minor = amount_minor where id = '${paid.payoutId}'`,
  },
  {
    label: "a payout of another member's commission",
    reported: ['P-1', 'P-3'],
    sql: () => `update payout set member_id = '${other}' where id = '${paid.payoutId}'`,
    undo: () => `update payout set member_id = '${member}' where id = '${paid.payoutId}'`,
  },
  {
    label: 'money that went out without a payout',
    reported: ['P-3'],
    sql: () => `update journal_entry set cause_id = '00000000-0000-4000-8000-000000000000' where cause_id = '${paid.attemptId}'`,
    undo: () => `update journal_entry set cause_id = '${paid.attemptId}' where cause_id = '00000000-0000-4000-8000-000000000000'`,
  },
  {
    label: 'a run that is over before its payouts',
    reported: ['P-4'],
    sql: () => `update payout_run set status = 'completed' where id = '${paid.runId}'`,
    undo: () => `update payout_run set status = 'executing' where id = '${paid.runId}'`,
  },
  {
    label: 'an account that is kept as if its member were erased',
    reported: ['P-5'],
    sql: () =>
      `update payout_account set status = 'deactivated', is_primary = false, kept_check_at = now() where id = '${spare}'`,
    undo: () => `update payout_account set status = 'active', is_primary = true, kept_check_at = null where id = '${spare}'`,
  },
  {
    label: 'bank details of an erased member to whom nothing is paid',
    reported: ['P-5'],
    sql: () => `update payout_account set status = 'deactivated', is_primary = false, bank_sealed = 'x', provider_account_ref = null,
        member_id = (select id from member where erased_at is not null limit 1) where id = '${spare}'`,
    undo: () => `update payout_account set member_id = '${other}', bank_sealed = null where id = '${spare}'`,
  },
  {
    label: 'payouts that an operator has frozen',
    reported: ['P-6'],
    sql: () => 'update payout_freeze set frozen_at = now()',
    undo: () => 'update payout_freeze set frozen_at = null',
  },
];

test('every audit of payouts has a breach planted for it', () => {
  expect([...new Set(plants.flatMap(({ reported }) => reported))].toSorted()).toEqual(
    payoutsAudits.map(({ id }) => id).toSorted(),
  );
});

test('all is well to begin with', () => expectCleanBooks(app));

describe('a planted breach is reported by exactly the audits it breaks:', () => {
  test.each(plants)('$label: $reported', async ({ reported, sql, undo }) => {
    await plant(sql());
    let found: string[];
    try {
      found = (await examineBooks(app.database.adminUrl)).filter(({ breaches }) => breaches.length > 0).map(({ id }) => id);
    } finally {
      await plant(undo());
    }
    expect(found).toEqual(reported);
    await expectCleanBooks(app);
  });
});
