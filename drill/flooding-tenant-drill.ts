/** One tenant floods the service: the operator finds out whose it is and stops it: docs/runbooks/flooding-tenant.md. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Drill } from './kit.ts';
import { newShop } from './new-shop.ts';

const CONNECTIONS = 32;
/** Keys that are stopped fail within this time: docs/specification/tenancy.md#key-cache. */
const STOPS_WITHIN_MS = 2_000;

export const drill: Drill = {
  name: 'flooding-tenant',
  title: 'one tenant floods the service, and is found, slowed down and stopped',
  async run(kit) {
    const cluster = await kit.cluster('main');
    await kit.cli(cluster, ['migrate']);
    const [loud, quiet] = [await newShop(kit, cluster, 'Loud'), await newShop(kit, cluster, 'Quiet')];
    const api = await kit.api(cluster, { env: { RATE_LIMIT_LIVE: '6000' } });
    const status = async (key: string): Promise<number> => (await kit.call(api, key, 'GET', '/api/v1/users?limit=1')).status;

    kit.step('the flood');
    let ending = false;
    const answers: Record<number, number> = {};
    const flood = Array.from({ length: CONNECTIONS }, async () => {
      // oxlint-disable-next-line no-unmodified-loop-condition -- it is set elsewhere
      while (!ending) {
        const code = await status(loud.apiKey).catch(() => 0);
        answers[code] = (answers[code] ?? 0) + 1;
      }
    });
    kit.onEnd(() => {
      ending = true;
    });
    await sleep(kit.quick ? 2_000 : 5_000);

    kit.step('whose it is, by the log: the tenant of the most requests');
    const byTenant = Map.groupBy(
      api.log.filter((line) => line.includes('"request"')).map((line) => JSON.parse(line) as { tenantId?: string }),
      ({ tenantId }) => tenantId ?? '',
    );
    const [busiest] = [...byTenant].toSorted(([, a], [, b]) => b.length - a.length);
    kit.check(busiest?.[0] === loud.tenantId, 'the log names the tenant of the flood');
    kit.ran('docker compose logs --since 5m api | grep tenantId');
    kit.check((await status(quiet.apiKey)) === 200, 'another tenant is answered beside the flood');

    kit.step('one key, then the whole tenant');
    await kit.cli(cluster, ['key', 'list', '--tenant', loud.tenantId]);
    const from = performance.now();
    await kit.cli(cluster, ['key', 'disable', loud.keyId]);
    await kit.until('the key is refused', async () => (await status(loud.apiKey)) !== 200, STOPS_WITHIN_MS);
    kit.figure('stoppedMs', Math.round(performance.now() - from));
    await kit.cli(cluster, ['key', 'enable', loud.keyId]);
    await kit.cli(cluster, ['tenant', 'disable', loud.tenantId]);
    await kit.until('the tenant is refused', async () => [401, 429].includes(await status(loud.apiKey)), STOPS_WITHIN_MS);
    ending = true;
    await Promise.all(flood);

    kit.step('let in again');
    await kit.cli(cluster, ['tenant', 'enable', loud.tenantId]);
    const again = await kit.api(cluster); // the flood has used up the address's bad keys of this window
    const answer = await kit.call(again, loud.apiKey, 'GET', '/api/v1/users?limit=1');
    kit.check(answer.status === 200, `the tenant works again: ${answer.status}`);
    for (const [code, count] of Object.entries(answers)) kit.figure(`answers${code}`, count);
    await kit.doctor(cluster);
  },
};
