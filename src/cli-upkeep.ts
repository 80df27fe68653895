/** Commands that build derived rows anew and change keys, while the service runs. */
import { type Command, Option } from 'commander';
import { command, table } from './cli-command.ts';
import type { CliSession } from './cli-session.ts';
import type { Scope, WriteDb } from './db/frame.ts';
import { createCipher } from './encryption.ts';
import { countSealed, type KeyCount, reencryptScope, reencryptSigningKeys } from './features/data-keys/reencrypt.ts';
import { rebuildDownline } from './features/genealogy/fold-downline.ts';
import { rebuildCommissions } from './features/members/fold-commissions.ts';
import { listTenants } from './features/tenants/operator-queries.ts';
import type { TenantsService } from './features/tenants/tenants-service.ts';

interface TenantOption {
  tenant?: string;
}

const ONE_TENANT = ['--tenant <id>', 'only this tenant (default: all, which needs DATABASE_ADMIN_URL)'] as const;

/** The tenant that was named, which must exist, or all of them. */
async function tenantsOf(session: CliSession, tenants: TenantsService, { tenant }: TenantOption): Promise<string[]> {
  if (tenant === undefined) return (await session.admin().unscoped(listTenants())).map(({ tenantId }) => tenantId);
  if (!(await tenants.exists(tenant))) throw new Error(`there is no tenant ${tenant}`);
  return [tenant];
}

/** Builds derived rows anew, scope by scope, each in a transaction of its own. */
function rebuildCommand(
  parent: Command,
  description: string,
  what: string,
  rebuild: (db: WriteDb, scope: Scope) => Promise<number>,
): void {
  command<{ environment?: 'live' | 'sandbox' } & TenantOption>(
    parent,
    'rebuild',
    description,
    async (session, options) => {
      const { background, tenants: service } = await session.composition();
      const { frames } = background;
      const environments = options.environment ? [options.environment] : (['live', 'sandbox'] as const);
      const tenants = await tenantsOf(session, service, options);
      const rebuilt: (Scope & { rows: number; ms: number })[] = [];
      for (const tenantId of tenants) {
        for (const name of environments) {
          const scope: Scope = { tenantId, environment: name === 'live' ? 'LIVE' : 'SANDBOX' };
          const started = performance.now();
          const rows = await frames.write(scope, (db) => rebuild(db, scope), { repeatable: true });
          rebuilt.push({ ...scope, rows, ms: Math.round(performance.now() - started) });
        }
      }
      const lines = rebuilt.map(
        ({ tenantId, environment, rows, ms }) => `${tenantId} ${environment}: ${rows} ${what} in ${ms} ms`,
      );
      return { json: { rebuilt }, text: lines.join('\n') };
    },
    { needSecrets: true },
  )
    .option(...ONE_TENANT)
    .addOption(new Option('--environment <environment>', 'only this data (default: both)').choices(['live', 'sandbox']));
}

export function addUpkeepCommands(program: Command): void {
  rebuildCommand(
    program.command('tree').description('the member tree'),
    'count all downlines anew from the sponsors; members may join meanwhile, moves of sponsors are refused for its time',
    'members',
    rebuildDownline,
  );

  rebuildCommand(
    program.command('rollups').description('the rollups of the member summaries'),
    'sum up all commission lines anew; purchases go on meanwhile',
    'lines',
    rebuildCommissions,
  );

  const keys = program.command('keys').description("the deployment's keys");

  command(
    keys,
    'rotate-signing',
    'sign access tokens with a new key; the former stays published for a day',
    async (session) => {
      const { services } = await session.composition();
      const kid = await services.signingKeys.rotate();
      return { json: { kid }, text: `Access tokens are signed with ${kid}, on every instance within a minute` };
    },
    { needSecrets: true },
  );

  command<TenantOption>(
    keys,
    'reencrypt',
    'seal anew, under the first data key, what is sealed under another; may be stopped and run again',
    async (session, options) => {
      const { frames, tenants: service } = await session.composition();
      const cipher = createCipher(session.config.secrets.dataKeys);
      const tenants = await tenantsOf(session, service, options);
      const signingKeys = await reencryptSigningKeys(frames, cipher);
      const done = { resealed: signingKeys.resealed, unreadable: signingKeys.unreadable };
      const counts: KeyCount[] = [...signingKeys.counts];
      for (const tenantId of tenants) {
        for (const environment of ['LIVE', 'SANDBOX'] as const) {
          const { resealed, unreadable } = await reencryptScope(frames, cipher, { tenantId, environment });
          done.resealed += resealed;
          done.unreadable += unreadable;
          counts.push(...(await countSealed(frames, { tenantId, environment })));
        }
      }
      const json = { activeKeyId: session.config.secrets.dataKeys[0]?.id ?? '', ...done, sealed: sumByKey(counts) };
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
