/** Payouts of the chaos table: members to be paid through a vendor that loses answers, by workers that are killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PaymentVendorSettings } from '../../../bench/payment-server.ts';
import type { Tenant } from '../../support/trial/shop.ts';
import type { Trial } from '../../support/trial/trial.ts';
import type { Fault } from './measure.ts';

const PAYEES = 60;
const LOST_RATE = 0.1;
const POINTS = ['payout:claimed', 'payout:transferred', 'payout:sent'];

export const PAYING = `worker killed with -9 while it pays, ${POINTS.length} times, and started again`;

export interface Payouts {
  fault: Fault;
  /** Once claims have lapsed: each member was sent its money once, and the service knows. Returns figures. */
  settled(): Promise<{ payouts: number; sent: number; atVendor: number; most: number }>;
  close(): Promise<void>;
}

export async function openPayouts(trial: Trial, tenant: Tenant): Promise<Payouts> {
  const vendor = await startVendor(trial);
  await settingsOf(trial, tenant);
  async function post<Body>(target: string, body: object = {}): Promise<Body> {
    const answer = await trial.caller.send({
      method: 'POST',
      path: target,
      key: tenant.liveKey,
      body,
      idempotencyKey: crypto.randomUUID(),
    });
    if (answer.status > 201) throw new Error(`${target}: ${answer.status} ${answer.text}`);
    return answer.json as Body;
  }

  await Promise.all(Array.from({ length: PAYEES }, (_, index) => earn(index)));
  await plantAccounts(trial, tenant);

  /** A member whose commission is old enough to be cleared by the worker's next sweep. */
  async function earn(index: number): Promise<void> {
    const member = await post<{ id: string }>('/api/v1/users', { email: `payee-${index}@trial.example` });
    await post('/api/v1/events/commission', {
      external_event_id: `earned-${index}`,
      type: 'adjustment',
      amount_minor: 6_000,
      currency: 'USD',
      user_id: member.id,
      description: 'By hand',
      actor: 'Kim',
      occurred_at: new Date(Date.now() - 60 * 86_400_000).toISOString(),
    });
  }

  const countSent = async (): Promise<number> => {
    const [row] = await trial.cluster.sql<{ sent: number }>(
      'select count(*)::int as sent from payout_attempt where tenant_id = $1 and provider_payout_id is not null',
      [tenant.tenantId],
    );
    return row?.sent ?? -1;
  };

  async function draft(): Promise<{ id: string }> {
    for (const until = Date.now() + 60_000; ; await sleep(250)) {
      const [row] = await trial.cluster.sql<{ cleared: number }>(
        "select count(*)::int as cleared from commission_line where tenant_id = $1 and status = 'cleared'",
        [tenant.tenantId],
      );
      if (row?.cleared === PAYEES) break;
      if (Date.now() > until) throw new Error(`${row?.cleared} of ${PAYEES} commissions were cleared`);
    }
    const run = await post<{ id: string; payoutCount: number }>('/api/v1/payout-runs', { currency: 'USD' });
    if (run.payoutCount !== PAYEES) throw new Error(`${run.payoutCount} of ${PAYEES} members were drafted`);
    return run;
  }

  return {
    fault: {
      name: PAYING,
      async run({ trial: { worker }, from }) {
        const run = await draft();
        await post(`/api/v1/payout-runs/${run.id}/approve`);
        await worker.kill();
        await post(`/api/v1/payout-runs/${run.id}/execute`);
        for (const point of POINTS) {
          await worker.start({ FAULT_POINTS: `${point}=kill` }).catch(() => undefined);
          await Promise.race([worker.ended(), sleep(8_000)]);
          await worker.kill();
        }
        from();
        await worker.start();
        return `at ${POINTS.join(', ')}`;
      },
    },
    async settled() {
      for (const until = Date.now() + 120_000; (await countSent()) < PAYEES && Date.now() < until; ) await sleep(250);
      const effects = (await (await fetch(`${vendor.url}/effects`)).json()) as Record<string, number>;
      const { transfers = 0, payouts = 0, most = 0 } = effects;
      return { payouts: PAYEES, sent: await countSent(), atVendor: Math.min(transfers, payouts), most };
    },
    close: vendor.close,
  };
}

/** Accounts at the vendor for all members of the tenant, as provisioning would have left them. */
async function plantAccounts({ cluster }: Trial, { tenantId }: Tenant): Promise<void> {
  await cluster.sql(
    `with provider as (
       insert into provider_account (tenant_id, environment, member_id, country, provider_account_id, status, transfers,
                                     profile_version, created_at, updated_at)
       select tenant_id, environment, id, 'HK', 'acct_' || id, 'active', 'active', '1', now(), now() from member where tenant_id = $1
       returning *)
     insert into payout_account (tenant_id, environment, member_id, provider_type, method_type, display_name, country, currency,
                                 is_primary, status, fingerprint, activated_at, provider_account_ref, external_account_id,
                                 created_at, updated_at)
     select tenant_id, environment, member_id, 'payvendor', 'hk_bank_transfer', 'Bank', 'HK', 'USD', true, 'active',
            sha256(uuid_send(member_id)), now() - interval '9 days', id, 'ba_' || member_id, now(), now() from provider`,
    [tenantId],
  );
}

async function settingsOf(trial: Trial, { liveKey }: Tenant): Promise<void> {
  const body = {
    payments: {
      provider: 'payvendor',
      requireKyc: false,
      payvendor: {
        secretKey: 'sk_live_trial',
        webhookSecrets: ['whsec_trial'],
        platformCountry: 'US',
        capabilities: ['transfers'],
        approvedRecipientCountries: ['HK'],
        baseUrl: `http://${trial.vendorHost}`,
      },
    },
  };
  const answer = await trial.caller.send({ method: 'PATCH', path: '/api/v1/admin/settings', key: liveKey, body });
  if (answer.status !== 200) throw new Error(`settings: ${answer.status} ${answer.text}`);
}

async function startVendor(trial: Trial): Promise<{ url: string; close(): Promise<void> }> {
  const program = path.resolve(import.meta.dirname, '../../../bench/payment-server.ts');
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  trial.note(child);
  const ended = once(child, 'exit');
  child.send({ port: Number(new URL(`http://${trial.vendorHost}`).port), lostRate: LOST_RATE } satisfies PaymentVendorSettings);
  const [answer] = (await Promise.race([once(child, 'message'), ended])) as [unknown];
  if (answer !== 'ready') throw new Error('the payment vendor did not start');
  return {
    url: `http://${trial.vendorHost}`,
    async close() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
