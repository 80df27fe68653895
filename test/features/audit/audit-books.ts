/** Audit logs made by hand: written, sealed, aged and tampered with. */
import { createHash, randomUUID } from 'node:crypto';
import type { Provenance } from '../../../src/actor.ts';
import type { Scope } from '../../../src/db/scope.ts';
import { type AuditEntry, recordAudit } from '../../../src/features/audit/audit-service.ts';
import { sealAuditLog } from '../../../src/features/audit/seal-audit-log.ts';
import type { AuditVerification } from '../../../src/features/audit/verify-audit-log.ts';
import { apiClient } from '../../support/app/api-client.ts';
import type { TestApp } from '../../support/app/test-app.ts';

export function byKey(ip: string | null = null): Provenance {
  return { actor: { kind: 'api_key', id: randomUUID() }, operationId: 'changeThing', requestId: randomUUID(), ip };
}

export async function writeEntry(app: TestApp, scope: Scope, fields: Partial<AuditEntry> = {}): Promise<void> {
  await app.composition.frames.write(scope, (db) =>
    recordAudit(db, scope, {
      action: 'thing.changed',
      by: byKey(),
      objectKind: 'thing',
      objectId: randomUUID(),
      details: { fields: ['a', 'b'] },
      ...fields,
    }),
  );
}

export async function writeEntries(app: TestApp, scope: Scope, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await writeEntry(app, scope);
}

/** Entries, each with an address, that were written so many days ago. */
export async function plantOld(app: TestApp, { tenantId, environment }: Scope, count: number, days: number): Promise<void> {
  await app.database.asSuperuser(
    `with entry as (
       insert into audit_log (tenant_id, environment, id, action, actor_kind, actor_id, recorded_at)
       select $1, $2, uuidv7(make_interval(days => -$4::int)), 'thing.aged', 'api_key', uuidv7(), now() - make_interval(days => $4::int)
       from generate_series(1, $3::int) n returning id, recorded_at)
     insert into audit_origin (tenant_id, environment, entry_id, ip, recorded_at) select $1, $2, id, '192.0.2.1', recorded_at from entry`,
    [tenantId, environment, count, days],
  );
}

export const sealOnce = (app: TestApp, scope: Scope): Promise<number> =>
  app.composition.frames.write(scope, (db) => sealAuditLog(db, scope));

/** The ids of a scope's entries, oldest first. */
export async function idsOf(app: TestApp, { tenantId, environment }: Scope): Promise<string[]> {
  const rows = await app.database.asSuperuser<{ id: string }>(
    'select id from audit_log where tenant_id = $1 and environment = $2 order by id',
    [tenantId, environment],
  );
  return rows.map(({ id }) => id);
}

export async function verifyLog(app: TestApp, key: string, query = ''): Promise<AuditVerification & { ok: boolean }> {
  const answer = await apiClient(app, key).get(`/api/v1/admin/ledger/verify${query}`);
  if (answer.status !== 200) throw new Error(`not verified: ${answer.status} ${answer.text}`);
  const { ok, auditLog } = answer.body as { ok: boolean; auditLog: AuditVerification & { ok: boolean } };
  if (ok !== auditLog.ok) throw new Error('the answer as a whole says otherwise');
  return auditLog;
}

/** The head's age is looked at now, as it would be within a day. */
export async function keep(app: TestApp, scope: Scope): Promise<void> {
  await app.database.asSuperuser('update audit_head set look_at = now() where tenant_id = $1 and environment = $2', [
    scope.tenantId,
    scope.environment,
  ]);
  await app.runSweep('keep-audit-log', scope);
}

type Field = readonly [oid: number, bytes: Buffer | null];

const int = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const long = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
};
const MICROSECONDS_TO_2000 = 946_684_800_000_000n;
const instant = (microseconds: bigint): Buffer => long(microseconds - MICROSECONDS_TO_2000);
const uuid = (value: string): Field => [2950, Buffer.from(value.replaceAll('-', ''), 'hex')];
const text = (value: string | null): Field => [25, value === null ? null : Buffer.from(value)];

interface StoredEntry {
  id: string;
  tenant_id: string;
  environment: string;
  action: string;
  actor_kind: string;
  actor_id: string | null;
  operation_id: string | null;
  request_id: string | null;
  object_kind: string | null;
  object_id: string | null;
  details: string;
  /** As the client has a bigint. */
  recorded: string;
}

function hashOfEntry(a: StoredEntry): Buffer {
  const fields: Field[] = [
    uuid(a.tenant_id),
    text(a.environment),
    uuid(a.id),
    ...[a.action, a.actor_kind, a.actor_id, a.operation_id, a.request_id, a.object_kind, a.object_id].map(text),
    [3802, Buffer.concat([Buffer.from([1]), Buffer.from(a.details)])],
    [1184, instant(BigInt(a.recorded))],
  ];
  const bytes = fields.flatMap(([oid, value]) => [int(oid), int(value?.length ?? -1), value ?? Buffer.alloc(0)]);
  return createHash('sha256')
    .update(Buffer.concat([int(fields.length), ...bytes]))
    .digest();
}

export interface StoredBlock {
  seq: string;
  prev_hash: Buffer;
  hash: Buffer;
  entry_count: number;
  newest: string;
  sealed: string;
}

/** The blocks of a scope beside the hashes that the paper gives them, made here from the rows. */
export async function chainOf(app: TestApp, { tenantId, environment }: Scope): Promise<(StoredBlock & { computed: Buffer })[]> {
  const of = [tenantId, environment];
  const micros = (column: string): string => `(extract(epoch from ${column}) * 1000000)::bigint`;
  const blocks = await app.database.asSuperuser<StoredBlock & Record<string, unknown>>(
    `select seq, prev_hash, hash, entry_count, ${micros('newest_at')} as newest, ${micros('sealed_at')} as sealed
     from audit_block where tenant_id = $1 and environment = $2 order by seq`,
    of,
  );
  const entries = await app.database.asSuperuser<StoredEntry & { block_seq: string } & Record<string, unknown>>(
    `select e.block_seq, a.id, a.tenant_id, a.environment, a.action, a.actor_kind, a.actor_id, a.operation_id, a.request_id,
            a.object_kind, a.object_id, a.details::text as details, ${micros('a.recorded_at')} as recorded
     from audit_block_entry e join audit_log a on a.tenant_id = e.tenant_id and a.environment = e.environment and a.id = e.entry_id
     where e.tenant_id = $1 and e.environment = $2 order by e.block_seq, e.position`,
    of,
  );
  return blocks.map((block) => {
    const hashes = entries.filter((entry) => entry.block_seq === block.seq).map(hashOfEntry);
    const parts = [
      block.prev_hash,
      long(BigInt(block.seq)),
      int(block.entry_count),
      instant(BigInt(block.newest)),
      instant(BigInt(block.sealed)),
    ];
    const computed = createHash('sha256')
      .update(Buffer.concat([...parts, ...hashes]))
      .digest();
    return { ...block, computed };
  });
}
