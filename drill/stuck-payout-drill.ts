/** Payouts that stay `processing`, for the vendor does not take the key, and go on once it does: docs/runbooks/stuck-payout.md. */
import type { Drill, DrillKit } from './kit.ts';
import { addPayees, awaitPayouts, comparePaid, draftRun, earn, openShop, type Shop } from './payees.ts';
import type { DrillProcess } from './processes.ts';

const EARNED = 6_000;

export const drill: Drill = {
  name: 'stuck-payout',
  title: 'the vendor refuses the key while payouts are sent; with the right one each member is paid once',
  async run(kit) {
    const cluster = await kit.cluster('main');
    await kit.cli(cluster, ['migrate']);
    const shop = await openShop(kit, cluster);
    const api = await kit.api(cluster, { env: shop.env });
    const worker = await kit.worker(cluster, { env: shop.env });
    await addPayees(kit, cluster, api, shop, kit.quick ? 5 : 20);
    await earn(kit, cluster, api, shop, EARNED);

    kit.step('the vendor forgets the key, then a run is executed');
    const [key = ''] = shop.vendor.keys;
    shop.vendor.keys.delete(key);
    const { runId } = await draftRun(kit, api, shop);
    const executed = await kit.call(api, shop.key, 'POST', `/api/v1/payout-runs/${runId}/execute`, {});
    kit.check(executed.status === 200, `the run is executed: ${executed.status}`);

    kit.step('why they wait');
    await kit.until('each payout says why it waits', async () => {
      const payouts = await listPayouts(kit, api, shop);
      return payouts.length === shop.memberIds.length && payouts.every((payout) => payout.failureCode !== null);
    });
    const stuck = await listPayouts(kit, api, shop);
    kit.check(
      stuck.every(({ status }) => status === 'processing'),
      `they wait, and have not failed: ${JSON.stringify(stuck[0])}`,
    );
    kit.figure('failureCode', String(stuck[0]?.failureCode));
    kit.ran('GET /api/v1/payouts/<payoutId>');
    await kit.cli(cluster, ['jobs', 'list']);

    kit.step('the vendor takes the key again, and the tenant sets it');
    const from = performance.now();
    shop.vendor.keys.add(key);
    const payments = { payvendor: { secretKey: key } };
    const set = await kit.call(api, shop.key, 'PATCH', '/api/v1/admin/settings', { payments });
    kit.check(set.status === 200, `the key is set: ${set.status} ${JSON.stringify(set.body)}`);
    await awaitPayouts(kit, cluster, shop);
    kit.figure('paidMs', Math.round(performance.now() - from));
    const difference = await comparePaid(cluster, shop, EARNED);
    for (const [name, value] of Object.entries(difference)) {
      kit.figure(name, value);
      kit.check(value === 0, `${name} is 0: ${value}`);
    }
    kit.check((await worker.stop()) === 0 && (await api.stop()) === 0, 'API and worker end with 0');
    await kit.doctor(cluster);
  },
};

async function listPayouts(
  kit: DrillKit,
  api: DrillProcess,
  { key }: Shop,
): Promise<{ status: string; failureCode: string | null }[]> {
  const { body } = await kit.call(api, key, 'GET', '/api/v1/payouts?limit=100');
  return body.data as { status: string; failureCode: string | null }[];
}
