/** Payouts of the chaos table: members to be paid through a vendor that loses answers, by workers that are killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { loadPayees } from '../../../bench/payees.ts';
import type { PaymentVendorSettings } from '../../../bench/payment-server.ts';
import type { Tenant } from '../../support/trial/shop.ts';
import type { Trial } from '../../support/trial/trial.ts';
import type { Fault } from './measure.ts';

const PAYEES = 80;
const LOST_RATE = 0.1;
const POINTS = ['payout:claimed', 'payout:transferred', 'payout:sent', 'payout:sent-stored'];

export interface Payouts {
  fault: Fault;
  /** Once claims have lapsed: each member was sent its money once, and the service knows. Returns figures. */
  settled(): Promise<{ payouts: number; sent: number; atVendor: number; most: number }>;
  close(): Promise<void>;
}

export async function openPayouts(trial: Trial, tenant: Tenant): Promise<Payouts> {
  const vendor = await startVendor(trial);
  await settingsOf(trial, tenant);
  const client = new pg.Client({ connectionString: trial.cluster.url('svc') });
  await client.connect();
  await loadPayees(
    {
      sql: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
        (await client.query<Row>(text, values)).rows,
      newTenant: async () => ({ tenantId: tenant.tenantId, environment: 'LIVE', apiKey: tenant.liveKey }),
    },
    PAYEES,
    () => undefined,
  );
  await client.end();

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

  const countSent = async (): Promise<number> => {
    const [row] = await trial.cluster.sql<{ sent: number }>(
      'select count(*)::int as sent from payout_attempt where tenant_id = $1 and provider_payout_id is not null',
      [tenant.tenantId],
    );
    return row?.sent ?? -1;
  };

  return {
    fault: {
      name: `worker killed with -9 while it pays, ${POINTS.length} times, and started again`,
      async run({ trial: { worker }, from }) {
        const run = await post<{ id: string; payoutCount: number }>('/api/v1/payout-runs', { currency: 'USD' });
        if (run.payoutCount !== PAYEES) throw new Error(`${run.payoutCount} of ${PAYEES} members were drafted`);
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

async function settingsOf(trial: Trial, { liveKey }: Tenant): Promise<void> {
  const body = {
    payments: {
      provider: 'payvendor',
      requireKyc: true,
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
