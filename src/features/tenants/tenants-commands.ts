/** The operators' commands of tenants and their API keys. */
import { InvalidArgumentError, Option } from 'commander';
import { type CommandLine, table } from '../../house/commands.ts';
import { listApiKeys, listTenants } from './operator-queries.ts';
import type { TenantsService } from './tenants-service.ts';

type Line = CommandLine<{ tenants: TenantsService }>;

export function tenantsCommands(line: Line): void {
  addTenantCommands(line);
  addKeyCommands(line);
}

function addTenantCommands({ group, command }: Line): void {
  const tenant = group('tenant', 'tenants');

  command<{ name: string; currency: string; timeZone: string }>(
    tenant,
    'create',
    'create a tenant',
    async ({ offers }, { name, currency, timeZone }) => {
      const { tenants } = await offers();
      const tenantId = await tenants.createTenant({ name, defaultCurrency: currency, reportingTimeZone: timeZone });
      return {
        json: { tenantId },
        text: `Tenant ${tenantId}\nNext: npm run -s cli -- key create --tenant ${tenantId} --environment sandbox`,
      };
    },
    { needSecrets: true },
  )
    .requiredOption('--name <name>', 'name of the tenant')
    .option('--currency <code>', 'default currency, ISO 4217', 'USD')
    .option('--time-zone <zone>', 'reporting time zone, IANA', 'UTC');

  command(tenant, 'list', 'list all tenants', async ({ admin }) => {
    const rows = await admin().unscoped(listTenants());
    return { json: rows, text: table(rows) };
  });

  addSlugCommand({ command } as Line, tenant);

  const effects = {
    disable: 'let all keys of a tenant fail and its links lead nowhere, within a second; nothing of it is lost',
    enable: 'let the keys and links of a disabled tenant work again',
  } as const;
  for (const how of ['disable', 'enable'] as const) {
    command(
      tenant,
      `${how} <tenantId>`,
      effects[how],
      async ({ offers }, _options, tenantId) => {
        const { tenants } = await offers();
        await tenants.setDisabled(tenantId, how === 'disable');
        return { json: { tenantId, disabled: how === 'disable' }, text: `Tenant ${tenantId} ${how}d` };
      },
      { needSecrets: true },
    );
  }
}

function addSlugCommand({ command }: Line, tenant: Parameters<Line['command']>[0]): void {
  command<{ to: string }>(
    tenant,
    'slug <tenantId>',
    "change a tenant's name in the addresses of the dashboard; the one before leads nowhere",
    async ({ offers }, { to }, tenantId) => {
      const { tenants } = await offers();
      await tenants.setSlug(tenantId, to);
      return { json: { tenantId, slug: to }, text: `Tenant ${tenantId} is ${to}` };
    },
    { needSecrets: true },
  ).requiredOption('--to <slug>', 'letters a to z, digits and hyphens');
}

interface KeyOptions {
  tenant: string;
  environment: 'live' | 'sandbox';
  name?: string;
  scopes?: string;
  preset?: string;
  allowedIps?: string;
  rateLimit?: number;
  expiresAt?: string;
}

function addKeyCommands({ group, command }: Line): void {
  const key = group('key', 'API keys');
  command<KeyOptions>(
    key,
    'create',
    'create an API key; it is shown once',
    async ({ offers }, options) => {
      const { tenants } = await offers();
      const created = await tenants.createKey({
        tenantId: options.tenant,
        environment: options.environment === 'live' ? 'LIVE' : 'SANDBOX',
        name: options.name,
        scopes: options.scopes?.split(','),
        preset: options.preset,
        allowedIps: options.allowedIps?.split(','),
        rateLimit: options.rateLimit,
        expiresAt: options.expiresAt,
      });
      return { json: created, text: `Key ${created.keyId}\n${created.apiKey}\nKeep it: it is not shown again.` };
    },
    { needSecrets: true },
  )
    .requiredOption('--tenant <id>', 'tenant id')
    .addOption(
      new Option('--environment <environment>', 'which data the key reaches').choices(['live', 'sandbox']).makeOptionMandatory(),
    )
    .option('--name <name>', 'a name to tell keys apart')
    .option('--scopes <list>', 'comma-separated scopes (default: all)')
    .option('--preset <name>', 'backend, reporting or full, in place of scopes')
    .option('--allowed-ips <list>', 'comma-separated addresses and ranges it may be used from (default: anywhere)')
    .option('--rate-limit <count>', "requests per window (default: the deployment's)", positiveInteger)
    .option('--expires-at <time>', 'when it stops working, as 2027-01-31T12:00:00Z (default: never)');

  command<{ tenant?: string }>(key, 'list', 'list API keys without their secrets', async ({ admin }, options) => {
    const rows = await admin().unscoped(listApiKeys({ tenantId: options.tenant ?? null }));
    return { json: rows, text: table(rows) };
  }).option('--tenant <id>', 'only this tenant');

  for (const how of ['revoke', 'disable'] as const) {
    command(
      key,
      `${how} <keyId>`,
      `${how} an API key; it stops working on every instance within a second`,
      async ({ offers }, _options, keyId) => {
        const { tenants } = await offers();
        await tenants.stopKey(keyId, how);
        return { json: { keyId, status: `${how}d` }, text: `Key ${keyId} ${how}d` };
      },
      { needSecrets: true },
    );
  }

  command(
    key,
    'enable <keyId>',
    'enable an API key that was disabled, by an operator or by its tenant',
    async ({ offers }, _options, keyId) => {
      const { tenants } = await offers();
      await tenants.enableKey(keyId);
      return { json: { keyId, status: 'enabled' }, text: `Key ${keyId} enabled` };
    },
    { needSecrets: true },
  );
}

function positiveInteger(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('It must be a positive whole number.');
  return Number(value);
}
