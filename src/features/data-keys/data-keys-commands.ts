/** The operators' command that seals everything under the first data key. */
import { createCipher } from '../../encryption.ts';
import { type CommandLine, ONE_TENANT, table } from '../../house/commands.ts';
import { createReencryption, type KeyCount } from './reencrypt.ts';

export function dataKeysCommands({ group, command }: CommandLine<unknown>): void {
  command<{ tenant?: string }>(
    group('keys', "the deployment's keys"),
    'reencrypt',
    'seal anew, under the first data key, what is sealed under another; may be stopped and run again',
    async ({ config, frames, tenantsOf, sealed }, { tenant }) => {
      const cipher = createCipher(config.secrets.dataKeys);
      const reencryption = createReencryption({ frames: await frames(), cipher, sealed });
      const tenants = await tenantsOf(tenant);
      const done = await reencryption.ofDeployment();
      const counts = await reencryption.countDeployment();
      for (const tenantId of tenants) {
        for (const environment of ['LIVE', 'SANDBOX'] as const) {
          const { resealed, unreadable } = await reencryption.ofScope({ tenantId, environment });
          done.resealed += resealed;
          done.unreadable += unreadable;
          counts.push(...(await reencryption.countScope({ tenantId, environment })));
        }
      }
      const json = { activeKeyId: config.secrets.dataKeys[0]?.id ?? '', ...done, sealed: sumByKey(counts) };
      const text = `${done.resealed} sealed anew, ${done.unreadable} under a key that is not in the ring\n\n${table(json.sealed)}`;
      return { ok: done.unreadable === 0, json, text };
    },
    { needSecrets: true },
  ).option(...ONE_TENANT);
}

function sumByKey(counts: readonly KeyCount[]): KeyCount[] {
  const sums = new Map<string, KeyCount>();
  for (const { column, keyId, rows } of counts) {
    const sum = sums.get(`${column} ${keyId}`) ?? { column, keyId, rows: 0 };
    sums.set(`${column} ${keyId}`, { ...sum, rows: sum.rows + rows });
  }
  return [...sums.values()].toSorted((a, b) => (`${a.column} ${a.keyId}` < `${b.column} ${b.keyId}` ? -1 : 1));
}
