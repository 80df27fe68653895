/** Members who can be paid, runs, and the jobs of a run, as the tests of payouts need them. */
import { createHash, randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { expect } from 'vitest';
import type { Environment, Scope } from '../../../src/db/scope.ts';
import { createAdvancePayouts, type PayoutVendor } from '../../../src/features/payouts/payouts/advance-payouts.ts';
import {
  CHECK_BATCH,
  checkPayouts,
  type Enqueue,
  EXECUTE_BATCH,
  executePayouts,
} from '../../../src/features/payouts/payouts/execute-payouts.ts';
import { createLogger } from '../../../src/http/request-log.ts';
import { jobOf } from '../../../src/jobs/job.ts';
import type { Sweep } from '../../../src/jobs/schedule.ts';
import type { ApiClient, MemberBody } from '../app/api-client.ts';
import type { TestApp } from '../app/test-app.ts';
import { plantRecord } from '../kyc/kyc-records.ts';
import { credit } from '../money/debts.ts';
import { books, freeze, settle } from './books-of-payouts.ts';

export interface AccountFields {
  currency?: string;
  status?: string;
  provider?: 'manual' | 'payvendor';
  isPrimary?: boolean;
  activatedAt?: Date;
}

/** An account that was made two days ago, unless the fields say otherwise. */
export async function plantAccount(app: TestApp, { tenantId, environment }: Scope, memberId: string, fields: AccountFields = {}) {
  const { currency = 'USD', status = 'active', provider = 'manual', isPrimary = true } = fields;
  const activatedAt = fields.activatedAt ?? new Date(Date.now() - 2 * 86_400_000);
  const vendors = provider === 'payvendor';
  const [row] = await app.database.asSuperuser<{ id: string }>(
    `with provider as (
       insert into provider_account (tenant_id, environment, member_id, country, provider_account_id, status, transfers,
                                     profile_version, created_at, updated_at)
       select $1, $2, $3::uuid, 'HK', 'acct_' || replace($3::uuid::text, '-', ''), 'active', 'active', '1', $8, $8 where $9
       on conflict (tenant_id, environment, member_id, country) do update set updated_at = excluded.updated_at
       returning id)
     insert into payout_account (tenant_id, environment, member_id, provider_type, method_type, display_name, country, currency,
                                 is_primary, status, fingerprint, activated_at, provider_account_ref, external_account_id,
                                 created_at, updated_at)
     values ($1, $2, $3::uuid, $4, 'hk_bank_transfer', 'Bank •••• 6789', 'HK', $5, $6, $7, $10, $8, (select id from provider),
             case when $9 then 'ba_' || replace($3::uuid::text, '-', '') end, $8, $8)
     returning id`,
    [
      tenantId,
      environment,
      memberId,
      provider,
      currency,
      isPrimary,
      status,
      activatedAt,
      vendors,
      createHash('sha256').update(randomUUID()).digest(),
    ],
  );
  return row?.id ?? '';
}

export async function approveKyc(app: TestApp, memberId: string): Promise<void> {
  const [member] = await app.database.asSuperuser<{ tenant_id: string; environment: Environment }>(
    'select tenant_id, environment from member where id = $1',
    [memberId],
  );
  if (!member) throw new Error('no such member');
  const scope: Scope = { tenantId: member.tenant_id, environment: member.environment };
  await plantRecord(app, scope, { memberId, status: 'approved', waitingSeconds: 3600 });
}

/** Whom nothing keeps from being paid `amountMinor` USD. */
export async function payable(
  app: TestApp,
  scope: Scope,
  client: ApiClient,
  amountMinor = 10_000,
  fields: AccountFields = {},
): Promise<MemberBody> {
  const member = await client.newMember();
  await approveKyc(app, member.id);
  await plantAccount(app, scope, member.id, fields);
  if (amountMinor > 0) await earn(app, scope, client, member, amountMinor, fields.currency);
  return member;
}

/** Cleared at once. */
export async function earn(
  app: TestApp,
  scope: Scope,
  client: ApiClient,
  member: MemberBody,
  amountMinor: number,
  currency = 'USD',
): Promise<string> {
  const { body } = await credit(client, member, amountMinor, { currency });
  if (amountMinor > 0) await app.runSweep('clear-commissions', scope);
  return body.commissions[0].id as string;
}

export interface PayoutBody {
  id: string;
  runId: string;
  userId: string;
  amountMinor: number;
  status: string;
  attempt: number;
  failureCode: string | null;
  failureMessage: string | null;
  commissionCount: number;
  payoutAccountId: string;
  reference: string | null;
  paidAt: string | null;
}

export interface DraftBody {
  id: string;
  status: string;
  payoutCount: number;
  totalMinor: number;
  blockedCount: number;
  payouts: PayoutBody[];
  blocked: { userId: string; reason: string; amountMinor: number }[];
}

export async function draft(client: ApiClient, fields: object = {}): Promise<DraftBody> {
  const answer = await client.post('/api/v1/payout-runs', { currency: 'USD', ...fields });
  expect(`${answer.status} ${answer.status === 201 ? '' : answer.text}`).toBe('201 ');
  return answer.body as DraftBody;
}

export const act = (client: ApiClient, runId: string, deed: 'approve' | 'execute' | 'cancel'): Promise<Response> =>
  client.post(`/api/v1/payout-runs/${runId}/${deed}`, {});

/** Drafts, approves and executes; the payouts are due then. */
export async function execute(client: ApiClient, fields: object = {}): Promise<DraftBody> {
  const run = await draft(client, fields);
  for (const deed of ['approve', 'execute'] as const) {
    const answer = await act(client, run.id, deed);
    expect(`${answer.status} ${answer.status === 200 ? '' : answer.text}`).toBe('200 ');
  }
  return run;
}

export const startPayouts = (app: TestApp, scope: Scope): Promise<number> => app.runSweep('execute-payouts', scope);

export async function payoutOf(client: ApiClient, payoutId: string): Promise<PayoutBody> {
  const { status, body, text } = await client.get(`/api/v1/payouts/${payoutId}`);
  expect(`${status} ${status === 200 ? '' : text}`).toBe('200 ');
  return body as PayoutBody;
}

export async function runOf(client: ApiClient, runId: string): Promise<{ status: string; byStatus: object[] }> {
  return (await client.get(`/api/v1/payout-runs/${runId}`)).body as { status: string; byStatus: object[] };
}

/** Does what the jobs in the queue ask for, all at once, by this vendor. Returns how many there were. */
export async function runJobs(app: TestApp, vendor: PayoutVendor): Promise<number> {
  const handler = createAdvancePayouts({
    vendorOf: async () => vendor,
    logger: createLogger('silent'),
    settlePayout: settle,
    freeze,
  });
  const jobs = await app.database.asSuperuser<{ id: string; name: string; data: object; retryCount: number }>(
    `update pgboss.job set state = 'completed', completed_on = now()
     where name = 'advance-payouts' and state = 'created' returning id, name, data, retry_count as "retryCount"`,
  );
  const { frames } = app.composition.background;
  await Promise.all(jobs.map((row) => handler.run(frames, jobOf(row as never), new AbortController().signal)));
  return jobs.length;
}

/** Everything that waits to be asked of the provider is due now, and asked. */
export async function checkAll(app: TestApp, scope: Scope, vendor: PayoutVendor): Promise<void> {
  await app.database.asSuperuser(
    'update payout set check_at = now(), claimed_until = null where check_at is not null and tenant_id = $1',
    [scope.tenantId],
  );
  await app.runSweep('check-payouts', scope);
  await runJobs(app, vendor);
}

/** As the service composes them. */
export const payoutSweeps = (enqueue: Enqueue): Sweep[] => [
  { name: 'execute-payouts', batchSize: EXECUTE_BATCH, run: (db, scope) => executePayouts(books, db, scope, enqueue) },
  { name: 'check-payouts', batchSize: CHECK_BATCH, run: (db, scope) => checkPayouts(freeze, db, scope, enqueue) },
];
