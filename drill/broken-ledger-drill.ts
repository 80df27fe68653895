/** Somebody has changed a sealed row behind the service's back: docs/runbooks/broken-ledger.md. */
import type { DrillCluster } from './cluster.ts';
import type { Drill } from './kit.ts';
import { newShop } from './new-shop.ts';

export const drill: Drill = {
  name: 'broken-ledger',
  title: 'a sealed posting is changed past the service, found, compared with a copy and put back',
  async run(kit) {
    const cluster = await kit.cluster('main');
    await kit.cli(cluster, ['migrate']);
    const shop = await newShop(kit, cluster);
    const api = await kit.api(cluster);
    const worker = await kit.worker(cluster, { env: { SWEEP_INTERVAL_MS: '100' } });
    const member = await kit.call(api, shop.apiKey, 'POST', '/api/v1/users', { email: 'ada@example.com', name: 'Ada' });
    for (let count = 1; count <= 5; count++) {
      const sale = await kit.call(api, shop.apiKey, 'POST', '/api/v1/events/purchase', {
        external_event_id: `order-${count}`,
        amount_minor: 10_000,
        currency: 'USD',
        customer: { external_id: 'buyer-1' },
        attribution: { user_id: member.body.id },
      });
      kit.check(sale.status < 300, `a sale is taken: ${sale.status} ${JSON.stringify(sale.body)}`);
    }
    await kit.until('all is sealed', async () => {
      const [row] = await cluster.query<{ waiting: number }>('select count(*)::int as waiting from ledger_unsealed');
      return row?.waiting === 0;
    });
    await kit.cli(cluster, ['ledger', 'verify', '--tenant', shop.tenantId]);

    kit.step('a posting is changed past every trigger');
    const [before] = await cluster.query<Place>(
      'select journal_id, seq, amount_minor::text as amount from posting order by amount_minor desc limit 1',
    );
    await change(cluster, `update posting set amount_minor = amount_minor + 100 where ${place(before)}`);

    kit.step('no money until it is known what happened');
    await kit.cli(cluster, ['payouts', 'freeze']);

    kit.step('found by ledger verify and by the doctor');
    const from = performance.now();
    const verify = await kit.cli(cluster, ['ledger', 'verify', '--tenant', shop.tenantId], { fails: true });
    kit.figure('foundMs', Math.round(performance.now() - from));
    kit.check(verify.stdout.includes(before?.journal_id ?? 'none'), `the journal is named:\n${verify.stdout}`);
    const doctor = await kit.cli(cluster, ['doctor'], { fails: true });
    kit.check(/BROKEN I-1 /.test(doctor.stdout), `the doctor says that a journal does not balance:\n${doctor.stdout}`);
    const answer = await kit.call(api, shop.apiKey, 'GET', '/api/v1/admin/ledger/verify');
    kit.check(JSON.stringify(answer.body).includes(before?.journal_id ?? 'none'), 'the API names the journal');

    kit.step('put back as the copy has it');
    await change(cluster, `update posting set amount_minor = ${before?.amount} where ${place(before)}`);
    kit.ran('set session_replication_role = replica; update posting set … ; as the superuser, with the values of the copy');
    await kit.cli(cluster, ['ledger', 'verify', '--tenant', shop.tenantId]);
    const since = ['--since', new Date(Date.now() - 86_400_000).toISOString()];
    await kit.cli(cluster, ['payouts', 'reconcile', ...since, '--apply']);
    kit.check((await worker.stop()) === 0 && (await api.stop()) === 0, 'API and worker end with 0');
    await kit.doctor(cluster);
  },
};

interface Place {
  journal_id: string;
  seq: number;
  amount: string;
}

const place = (row: Place | undefined): string => `journal_id = '${row?.journal_id}' and seq = ${row?.seq}`;

/** As only the superuser can. */
async function change(cluster: DrillCluster, statement: string): Promise<void> {
  await cluster.query(`set session_replication_role = replica; ${statement}`);
}
