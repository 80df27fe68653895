/**
 * Executing payouts through a vendor that loses answers, against its client alone. The draft over all
 * members and its approval come before the rounds, and are told.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { Stripe } from 'stripe';
import { openPool } from '../../src/db/connect.ts';
import { AppError } from '../../src/errors.ts';
import { createAdvancePayouts, type PayoutVendor } from '../../src/features/payouts/payouts/advance-payouts.ts';
import { payouts } from '../../src/features.ts';
import { createLogger } from '../../src/http/request-log.ts';
import { createBackground } from '../../src/jobs/background.ts';
import type { MoneyOrder } from '../../src/vendors/payments/payment-vendor.ts';
import { testCaller } from '../../test/support/app/test-caller.ts';
import type { Case, Contender, Round } from '../measure.ts';
import { LINES_EACH, loadPayees } from '../payees.ts';
import type { PaymentVendorSettings } from '../payment-server.ts';
import { findFreePort, type Stage, type Tenant } from '../stage.ts';

const LOST_RATE = 0.05;
/** As many as the jobs of one tenant on one worker send at once. */
const AT_ONCE = 32;
/** As the service has it where nothing is set. */
const WORKER_POOL_SIZE = 6;
const KEY_ID = '00000000-0000-4000-8000-000000000000';

export async function payoutCase(
  stage: Stage,
  { members, executed }: { members: number; executed: number },
  say: (line: string) => void,
): Promise<Case> {
  const port = await findFreePort();
  await stage.startFloor('payment-server.ts', { port, lostRate: LOST_RATE } satisfies PaymentVendorSettings);
  const tenant = await loadPayees(stage, members, say);
  const runId = await draftAndApprove(stage, tenant, members, say);
  const client = newClient(port);

  const contender = (execute: (count: number) => Promise<void>): Contender => {
    const run = async (count: number): Promise<Round> => {
      await fetch(`http://127.0.0.1:${port}/effects`);
      const started = performance.now();
      await execute(count);
      const ms = performance.now() - started;
      const effects = (await (await fetch(`http://127.0.0.1:${port}/effects`)).json()) as Record<string, number>;
      if (effects['transfers'] !== count || effects['payouts'] !== count || effects['most'] !== 1) {
        throw new Error(`payout: ${count} were executed, the vendor has done ${JSON.stringify(effects)}`);
      }
      return { perSecond: (count / ms) * 1000, p50: ms, p99: ms };
    };
    return { run: () => run(executed), warmUp: async () => void (await run(executed / 10)) };
  };

  let round = 0;
  return {
    name: 'payout',
    unit: 'payouts',
    ours: contender((count) => executeByJobs(stage, tenant, { runId, executed: count, vendor: boundTo(client) })),
    floor: contender(async (count) => {
      const of = round++;
      let next = 0;
      const lane = async (): Promise<void> => {
        for (let i = next++; i < count; i = next++) await payBy(client, `${of}-${i}`);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, lane));
    }),
    target: { ratio: 0.6 },
    check: () => assertSound(stage, tenant),
  };
}

async function draftAndApprove(stage: Stage, tenant: Tenant, members: number, say: (line: string) => void): Promise<string> {
  const { runs } = (await stage.openWorker()).offer(payouts);
  await stage.sql(
    `insert into payment_settings (tenant_id, environment, provider, capabilities, approved_recipient_countries, require_kyc, dual_control,
                                   account_cooldown_hours)
     values ($1, $2, 'payvendor', '{transfers}', '{}', true, false, 24)`,
    [tenant.tenantId, tenant.environment],
  );
  const scope = testCaller(tenant, KEY_ID);
  const context = { scope, guard: undefined };
  const rssMb = (): number => process.memoryUsage().rss / 2 ** 20;
  const before = rssMb();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, rssMb());
  }, 50);
  const started = performance.now();
  const { run } = await runs.draft(context, { currency: 'USD', dryRun: false });
  const drafted = performance.now();
  await runs.approve(context, run.id);
  const approved = performance.now();
  await runs.execute(context, run.id);
  const ended = performance.now();
  clearInterval(watch);
  if (run.payoutCount !== members) throw new Error(`payout: ${run.payoutCount} of ${members} members were drafted`);
  const s = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  say(
    `payout: drafted ${members} members with ${members * LINES_EACH} commissions in ${s(drafted - started)}, approved in ${s(approved - drafted)}, made due in ${s(ended - approved)}; memory of the process ${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most`,
  );
  // What the rounds execute they make due themselves.
  await stage.sql('update payout set execute_at = null where payout_run_id = $1', [run.id]);
  await stage.sql('vacuum analyze');
  return run.id;
}

/** As one worker does it: until each payout is known to the vendor, and that is stored. */
async function executeByJobs(
  stage: Stage,
  { tenantId }: Tenant,
  { runId, executed, vendor }: { runId: string; executed: number; vendor: PayoutVendor },
): Promise<void> {
  const composition = await stage.openWorker();
  const { settlePayout, freeze } = composition.offer(payouts);
  const logger = createLogger('error');
  const background = createBackground({
    pool: openPool({
      url: stage.urls.workerUrl,
      size: WORKER_POOL_SIZE,
      acquireTimeoutMs: 5_000,
      applicationName: 'svc-worker',
      logger,
    }),
    logger,
    sweeps: composition.background.sweeps.filter(({ name }) => name === 'execute-payouts' || name === 'check-payouts'),
    handlers: [createAdvancePayouts({ vendorOf: async () => vendor, logger, settlePayout, freeze })],
    sweepIntervalMs: 1_000,
  });
  await composition.queue.open();
  const countSent = async (): Promise<number> => {
    const rows = await stage.sql<{ count: number }>(
      'select count(*)::int as count from payout_attempt where tenant_id = $1 and provider_payout_id is not null',
      [tenantId],
    );
    return rows[0]?.count ?? 0;
  };
  const before = await countSent();
  await stage.sql(
    `update payout set execute_at = now() where id in (
       select id from payout where payout_run_id = $1 and status = 'queued' order by id limit $2)`,
    [runId, executed],
  );
  await background.start();
  while ((await countSent()) < before + executed) await sleep(100);
  await background.stop(10_000);
  await background.close();
  await composition.queue.close();
  // They are not asked about in the next round.
  await stage.sql('update payout set check_at = null where tenant_id = $1 and check_at is not null', [tenantId]);
}

function newClient(port: number): Stripe {
  return new Stripe('sk_test_bench', {
    apiVersion: '2026-10-28.endive',
    host: '127.0.0.1',
    port,
    protocol: 'http',
    maxNetworkRetries: 2,
    timeout: 15_000,
    telemetry: false,
  });
}

async function payBy(client: Stripe, name: string): Promise<void> {
  const metadata = { payout_id: name, attempt: '1' };
  await untilAnswered(() =>
    client.transfers.create(
      { amount: 6_000, currency: 'usd', destination: 'acct_1', metadata },
      { idempotencyKey: `tr:${name}` },
    ),
  );
  await untilAnswered(() =>
    client.payouts.create(
      { amount: 6_000, currency: 'usd', destination: 'ba_1', metadata },
      { idempotencyKey: `po:${name}`, stripeAccount: 'acct_1' },
    ),
  );
}

/** The client asks thrice; a few answers of many are lost each time. */
async function untilAnswered(ask: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeConnectionError)) throw error;
    }
  }
}

function boundTo(client: Stripe): PayoutVendor {
  const asked = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (cause) {
      throw new AppError('PROVIDER_UNAVAILABLE', 'The answer was lost', { cause });
    }
  };
  const params = ({ amountMinor, currency, metadata }: MoneyOrder) => ({
    amount: Number(amountMinor),
    currency: currency.toLowerCase(),
    metadata,
  });
  const unused = (): never => {
    throw new Error('the rounds need no such call');
  };
  return {
    createTransfer: (order) =>
      asked(() =>
        client.transfers.create(
          { ...params(order), destination: order.connectedAccountId },
          { idempotencyKey: order.idempotencyKey },
        ),
      ),
    createPayout: (order) =>
      asked(async () => {
        const { id } = await client.payouts.create(
          { ...params(order), destination: order.bankAccountId },
          { idempotencyKey: order.idempotencyKey, stripeAccount: order.connectedAccountId },
        );
        return { id, status: 'pending', failureCode: null };
      }),
    readPayout: async (_account, id) => ({ id, status: 'pending', failureCode: null }),
    findTransfer: unused,
    findPayout: unused,
    reverseTransfer: unused,
  };
}

async function assertSound(stage: Stage, { tenantId }: Tenant): Promise<void> {
  const [row] = await stage.sql<{ unbalanced: number; astray: number }>(
    `select (select count(*) from (
               select from posting where tenant_id = $1 group by journal_id, currency having sum(amount_minor) <> 0) x)::int as unbalanced,
            (select count(*) from (
               select member_id, account, sum(amount_minor) from posting
               where tenant_id = $1 and member_id is not null group by 1, 2 having sum(amount_minor) <> 0
               except
               select beneficiary_id, 'member:' || status, sum(amount_minor) from commission_line where tenant_id = $1 group by 1, 2) x)::int as astray`,
    [tenantId],
  );
  if (row?.unbalanced !== 0 || row.astray !== 0) throw new Error(`payout: the books are not sound: ${JSON.stringify(row)}`);
}
