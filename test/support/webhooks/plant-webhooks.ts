/** Endpoints and events put into the tables as the API and the features would leave them. */
import { randomBytes } from 'node:crypto';
import type { Config } from '../../../src/config.ts';
import type { Scope } from '../../../src/db/scope.ts';
import { createCipher } from '../../../src/encryption.ts';
import { endpointHeadersPlace, endpointSecretPlace } from '../../../src/features/webhooks/endpoints/endpoint-sealed.ts';
import type { TestDatabase } from '../database/test-database.ts';

/** Of an app, or of anything else that has a database and keys. */
interface Planting {
  database: Pick<TestDatabase, 'asSuperuser'>;
  config: Pick<Config, 'secrets'>;
}

export interface PlantedEndpoint {
  id: string;
  secret: string;
}

export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

export async function plantEndpoint(
  { database, config }: Planting,
  scope: Scope,
  {
    url,
    eventTypes = ['*'],
    headers,
    rights = ['*'],
  }: { url: string; eventTypes?: string[]; headers?: Record<string, string>; rights?: string[] },
): Promise<PlantedEndpoint> {
  const [made] = await database.asSuperuser<{ id: string }>('select uuidv7() as id');
  const id = made?.id ?? '';
  const secret = newWebhookSecret();
  const { encrypt } = createCipher(config.secrets.dataKeys);
  await database.asSuperuser(
    `insert into webhook_endpoint (tenant_id, environment, id, url, event_types, header_names, headers_sealed, secret_sealed, rights, rights_of, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'system', 'system')`,
    [
      scope.tenantId,
      scope.environment,
      id,
      url,
      eventTypes,
      Object.keys(headers ?? {}),
      headers && encrypt(Buffer.from(JSON.stringify(headers)), endpointHeadersPlace(scope, id)),
      encrypt(Buffer.from(secret), endpointSecretPlace(scope, id)),
      rights,
    ],
  );
  return { id, secret };
}

/** The secret signs beside the new one from now on, for so many seconds. */
export async function rotateSecret(
  { database, config }: Planting,
  scope: Scope,
  id: string,
  overlapSeconds: number,
): Promise<string> {
  const secret = newWebhookSecret();
  const sealed = createCipher(config.secrets.dataKeys).encrypt(Buffer.from(secret), endpointSecretPlace(scope, id));
  await database.asSuperuser(
    `update webhook_endpoint set old_secret_sealed = secret_sealed, old_secret_until = now() + make_interval(secs => $2),
       secret_sealed = $3, updated_at = clock_timestamp() where id = $1`,
    [id, overlapSeconds, sealed],
  );
  return secret;
}

/** What was told while a tenant was set up; nothing of it may have a number yet. */
export async function forgetTold({ database }: Pick<Planting, 'database'>, { tenantId }: Pick<Scope, 'tenantId'>): Promise<void> {
  await database.asSuperuser('delete from outgoing_unsealed where tenant_id = $1', [tenantId]);
  await database.asSuperuser('delete from outgoing_event where tenant_id = $1', [tenantId]);
}

/** Nothing is sent any more to the endpoints of before: their receiver is closed, and another may get its port. */
export async function silenceEndpoints({ database }: Pick<Planting, 'database'>): Promise<void> {
  await database.asSuperuser(
    "update webhook_endpoint set enabled = false, disabled_reason = 'by_hand' where enabled and deleted_at is null",
  );
}

/** Their ids, in the order of their numbers. */
export async function plantEvents(
  { database }: Pick<Planting, 'database'>,
  { tenantId, environment }: Scope,
  count: number,
  { type = 'member.created', data = { name: 'Ada' } }: { type?: string; data?: unknown } = {},
): Promise<string[]> {
  const rows = await database.asSuperuser<{ id: string }>(
    `with events as (
       insert into outgoing_event (tenant_id, environment, id, type, occurred_at, object_id, object_version, actor, data)
       select $1, $2, uuidv7(), $4, scope_now($1, $2), 'object-' || n, n, 'api_key:1', $5::json from generate_series(1, $3) n
       returning id),
     queued as (
       insert into outgoing_unsealed (tenant_id, environment, event_id) select $1, $2, id from events)
     select id from events order by id`,
    [tenantId, environment, count, type, JSON.stringify(data)],
  );
  return rows.map(({ id }) => id);
}

export interface PlantedDelivery {
  id: string;
  endpoint_id: string;
  event_id: string;
  status: string;
  attempt_count: number;
  tries: number;
  /** Until the next attempt, by the clock of the scope. */
  due_in: number | null;
}

export function listDeliveries(
  { database }: Pick<Planting, 'database'>,
  { tenantId, environment }: Scope,
): Promise<PlantedDelivery[]> {
  return database.asSuperuser<PlantedDelivery>(
    `select id, endpoint_id, event_id, status, attempt_count, tries,
       extract(epoch from next_at - scope_now(tenant_id, environment))::float8 as due_in
     from webhook_delivery where tenant_id = $1 and environment = $2 order by id`,
    [tenantId, environment],
  );
}

export interface PlantedAttempt {
  delivery_id: string;
  number: number;
  status: number | null;
  fault: string | null;
  answer: string | null;
  ms: number;
}

export function listAttempts(
  { database }: Pick<Planting, 'database'>,
  { tenantId, environment }: Scope,
): Promise<PlantedAttempt[]> {
  return database.asSuperuser<PlantedAttempt>(
    `select delivery_id, number, status, fault, answer, ms from webhook_attempt
     where tenant_id = $1 and environment = $2 order by delivery_id, number`,
    [tenantId, environment],
  );
}
