/**
 * Copies of a world, each a tenant of its own, made inside the database: the rows of the first one under another tenant,
 * with the same ids. Keys get secrets of their own, for those are unique; what is sealed is sealed again.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Scope } from '../../../src/db/scope.ts';
import { createCipher } from '../../../src/encryption.ts';
import { paymentSecretPlace } from '../../../src/features/payouts/settings/payment-settings.ts';
import { spellApiKey } from '../../../src/http/api-key-form.ts';
import { hashApiKey } from '../../../src/http/authenticate.ts';
import type { TestApp } from '../app/test-app.ts';
import { listTenantTables } from '../database/walls.ts';
import { VENDOR } from './hands-world.ts';

/** Nothing that decides reads these: the log and its seals, stored answers, and names that are unique among all tenants. */
const NOT_COPIED = /^(audit_|idempotency_key|link_|ledger_block)/;

/**
 * Ties do not end by time passing: after seven days a person counts as nobody else, by rule
 * (docs/specification/two-hands.md#ties), and one who waits so long with two accounts is let pass.
 */
const NOT_SHIFTED = /^approval_tie$/;

export interface Copies {
  /** A new tenant like the first; `keyOf` has the secrets of its keys. */
  make(): Promise<Copy>;
  /** All that has happened in the tenant happened so much earlier: time has passed. Ties go on. */
  letPass(tenantId: string, hours: number): Promise<void>;
}

export interface Copy {
  tenantId: string;
  keyOf(keyId: string): string;
  /** The vendor's secrets as they are stored, in PostgreSQL's text of bytes. */
  sealed: { secretKey: string; webhookSecrets: string };
}

interface Column {
  table: string;
  column: string;
  type: string;
}

export async function prepareCopies(app: TestApp, { tenantId }: Scope, keyIds: readonly string[]): Promise<Copies> {
  const { database } = app;
  const filled: string[] = [];
  const all = (await listTenantTables(database)).filter((table) => !NOT_COPIED.test(table));
  for (const table of all) {
    const [row] = await database.asSuperuser<{ any: boolean }>(
      `select exists (select from ${table} where tenant_id = $1) as any`,
      [tenantId],
    );
    if (row?.any) filled.push(table);
  }
  const columns = await database.asSuperuser<Column>(
    `select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relname = any ($1) order by c.relname, a.attnum`,
    [[...all, 'tenant']],
  );
  const of = (table: string): Column[] => columns.filter((one) => one.table === table);
  /** What is put in place of a column; else it is copied. */
  const instead: Record<string, string> = {
    'tenant.id': 'dst',
    'tenant.slug': `'copy-' || dst`,
    'staff_session.token_hash': 'sha256((dst::text || t.id::text)::bytea)',
    'staff_invite.token_hash': 'sha256((dst::text || t.id::text)::bytea)',
    'api_key.hash': `coalesce(decode(hashes ->> t.id::text, 'hex'), sha256((dst::text || t.id::text)::bytea))`,
    'payment_settings.secret_key_sealed': 'secret_key',
    'payment_settings.webhook_secrets_sealed': 'webhook_secrets',
  };
  const copy = (table: string): string => {
    const names = of(table).map(({ column }) => column);
    const values = names.map((name) => instead[`${table}.${name}`] ?? (name === 'tenant_id' ? 'dst' : `t.${name}`));
    const mine = table === 'tenant' ? 't.id' : 't.tenant_id';
    return `insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from ${table} t where ${mine} = '${tenantId}';`;
  };
  await database.asSuperuser(
    `create or replace function copy_world(dst uuid, hashes jsonb, secret_key bytea, webhook_secrets bytea) returns void language plpgsql
     set session_replication_role = replica as $copy$ begin ${['tenant', ...filled].map(copy).join('\n')} end $copy$`,
  );
  const shift = (table: string): string[] => {
    if (NOT_SHIFTED.test(table)) return [];
    const times = of(table).filter(({ type }) => type === 'timestamp with time zone');
    if (times.length === 0) return [];
    const sets = times.map(({ column }) => `${column} = ${column} - by`);
    return [`update ${table} set ${sets.join(', ')} where tenant_id = dst;`];
  };
  await database.asSuperuser(
    `create or replace function shift_world(dst uuid, by interval) returns void language plpgsql
     set session_replication_role = replica as $shift$ begin ${all.flatMap(shift).join('\n')} end $shift$`,
  );

  const cipher = createCipher(app.config.secrets.dataKeys);
  return {
    async make() {
      const copyId = randomUUID();
      const scope: Scope = { tenantId: copyId, environment: 'LIVE' };
      const secrets = new Map(keyIds.map((id) => [id, spellApiKey('LIVE', randomBytes(32))]));
      const hashes = Object.fromEntries(
        [...secrets].map(([id, key]) => [id, hashApiKey(app.config.secrets.apiKeyPepper, key).toString('hex')]),
      );
      const seal = (name: 'secretKey' | 'webhookSecrets', text: string): Buffer =>
        cipher.encrypt(Buffer.from(text), paymentSecretPlace(scope, name));
      const secretKey = seal('secretKey', VENDOR.secretKey);
      const webhookSecrets = seal('webhookSecrets', JSON.stringify(VENDOR.webhookSecrets));
      const values = [copyId, JSON.stringify(hashes), secretKey, webhookSecrets];
      await database.asSuperuser('select copy_world($1, $2, $3, $4)', values, 'copy-world');
      const hex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;
      const sealed = { secretKey: hex(secretKey), webhookSecrets: hex(webhookSecrets) };
      return { tenantId: copyId, keyOf: (id) => secrets.get(id) ?? '', sealed };
    },
    async letPass(copyId, hours) {
      await database.asSuperuser('select shift_world($1, make_interval(hours => $2))', [copyId, hours], 'shift-world');
    },
  };
}
