/** The way back of docs/upgrades.md, while clients write: the release before on the newer schema, and forward again. */
import type { Drill } from './kit.ts';
import { startLoad } from './load.ts';
import { newShop } from './new-shop.ts';
import { BREAKING_MIGRATION, makeRelease, NEXT_MIGRATIONS } from './releases.ts';

export const drill: Drill = {
  name: 'rollback',
  title: 'the release before on the schema of the next one, forward again, and refused where the schema says so',
  async run(kit) {
    const next = await makeRelease(kit, 'next', NEXT_MIGRATIONS);
    const cluster = await kit.cluster('main');
    await kit.cli(cluster, ['migrate'], { source: next });
    const { apiKey } = await newShop(kit, cluster);
    const newer = await kit.api(cluster, { source: next });
    const newerWorker = await kit.worker(cluster, { source: next });
    const some = kit.quick ? 50 : 500;
    const load = startLoad(kit, cluster, apiKey, newer);
    await load.acknowledge(some);

    kit.step('the release before: migrate has nothing to do, the service runs');
    const from = performance.now();
    const { stdout } = await kit.cli(cluster, ['migrate']);
    kit.check(stdout.includes('the schema is newer (2 migrations'), `migrate of the release before leaves the schema: ${stdout}`);
    const older = await kit.api(cluster);
    load.sendTo(older);
    kit.check((await newer.stop()) === 0, 'the newer API ends with 0');
    const olderWorker = await kit.worker(cluster);
    kit.check((await newerWorker.stop()) === 0, 'the newer worker ends with 0');
    kit.figure('rollbackMs', Math.round(performance.now() - from));
    await load.acknowledge(some);
    await kit.doctor(cluster);

    kit.step('forward again');
    await kit.cli(cluster, ['migrate'], { source: next });
    const forward = await kit.api(cluster, { source: next });
    load.sendTo(forward);
    kit.check((await older.stop()) === 0 && (await olderWorker.stop()) === 0, 'API and worker of the release before end with 0');
    await load.acknowledge(some);
    await load.settle();
    kit.check((await forward.stop()) === 0, 'the API ends with 0');
    await kit.cli(cluster, ['doctor'], { source: next });

    kit.step('a schema that needs newer code');
    const breaking = await makeRelease(kit, 'breaking', { ...NEXT_MIGRATIONS, ...BREAKING_MIGRATION });
    await kit.cli(cluster, ['migrate'], { source: breaking });
    const refused = await kit.cli(cluster, ['migrate'], { fails: true });
    kit.check(refused.stderr.startsWith('the database schema needs newer code'), `migrate is refused: ${refused.stderr}`);
    const started = await kit.api(cluster).then(
      () => 'it started',
      (error: Error) => error.message,
    );
    kit.check(started.includes('needs newer code than this release'), `the API is refused: ${started}`);
  },
};
