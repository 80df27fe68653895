/** The upgrade of docs/upgrades.md, while clients write: migrate, then the API, then the workers; and with a stop between. */
import type { Drill } from './kit.ts';
import { startLoad } from './load.ts';
import { newShop } from './new-shop.ts';
import { makeRelease, NEXT_MIGRATIONS } from './releases.ts';

export const drill: Drill = {
  name: 'upgrade',
  title: 'the next release over a service that is written to, side by side, and by stop and start',
  async run(kit) {
    const next = await makeRelease(kit, 'next', NEXT_MIGRATIONS);
    const cluster = await kit.cluster('main');
    await kit.cli(cluster, ['migrate']);
    const { apiKey } = await newShop(kit, cluster);
    const [oldApi, oldWorker] = [await kit.api(cluster), await kit.worker(cluster)];
    const some = kit.quick ? 50 : 500;

    kit.step('migrate while the release before runs');
    const load = startLoad(kit, cluster, apiKey, oldApi);
    await load.acknowledge(some);
    const from = performance.now();
    const { stdout } = await kit.cli(cluster, ['migrate'], { source: next });
    kit.figure('migrateMs', Math.round(performance.now() - from));
    kit.check(stdout.endsWith('20991231000100_next_index\n'), `the next release's migrations ran: ${stdout}`);
    await load.acknowledge(some);

    kit.step('start the new API beside the old one, then end the old one');
    const newApi = await kit.api(cluster, { source: next });
    load.sendTo(newApi);
    kit.check((await oldApi.stop()) === 0, 'the old API ends with 0');
    await load.acknowledge(some);
    kit.step('the worker');
    const newWorker = await kit.worker(cluster, { source: next });
    kit.check((await oldWorker.stop()) === 0, 'the old worker ends with 0');
    await load.acknowledge(some);
    await load.settle();

    kit.step('the same by stop and start, as docker compose up does');
    const stoppedAt = performance.now();
    await newApi.stop();
    const again = await kit.api(cluster, { source: next });
    kit.figure('downMs', Math.round(performance.now() - stoppedAt));
    const made = await kit.call(again, apiKey, 'POST', '/api/v1/users', { email: 'after@load.example' });
    kit.check(made.status === 201, `a write is taken: ${made.status}`);
    kit.check((await again.stop()) === 0 && (await newWorker.stop()) === 0, 'both end with 0');
    await kit.cli(cluster, ['doctor'], { source: next });
  },
};
