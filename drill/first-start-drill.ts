/** The first start of a deployment: the least that any drill needs, and a check of the runner itself. */
import type { Drill } from './kit.ts';
import { newShop } from './new-shop.ts';

export const drill: Drill = {
  name: 'first-start',
  title: 'an empty database, migrated, with a tenant, a key, an API and a worker',
  async run(kit) {
    const cluster = await kit.cluster('main');
    kit.step('migrate');
    const from = performance.now();
    await kit.cli(cluster, ['migrate']);
    const { apiKey } = await newShop(kit, cluster);
    kit.step('start API and worker');
    const api = await kit.api(cluster);
    const worker = await kit.worker(cluster);
    const made = await kit.call(api, apiKey, 'POST', '/api/v1/users', { email: 'first@example.com' });
    kit.check(made.status === 201, `the first member is made: ${made.status} ${JSON.stringify(made.body)}`);
    kit.figure('readyMs', Math.round(performance.now() - from));
    kit.check((await worker.stop()) === 0, 'the worker ends with 0');
    kit.check((await api.stop()) === 0, 'the API ends with 0');
    await kit.doctor(cluster);
  },
};
