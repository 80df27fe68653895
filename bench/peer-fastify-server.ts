/**
 * A peer of read and create, the practical limit of a service in Node that keeps tenants apart: Fastify 5 with schemas for
 * what comes and goes, and pg. A key is looked up and remembered as long as the service does; each request is a transaction
 * whose scope row-level security reads, its messages sent one behind the other as pg's pipeline allows; and a log line. No
 * limits, no idempotency, no codes, counts or balances. Its settings are the first message.
 */
import { createHmac, createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import Fastify, { LogController } from 'fastify';
import pg from 'pg';
import pino from 'pino';

export interface PeerFastifySettings {
  port: number;
  /** As the service's own role. */
  databaseUrl: string;
  poolSize: number;
  /** In base64. */
  pepper: string;
  logFile: string;
}

interface Caller {
  tenant_id: string;
  environment: string;
}

const KEY_MS = 900;
const [settings] = (await once(process, 'message')) as [PeerFastifySettings];
const pepper = createSecretKey(Buffer.from(settings.pepper, 'base64'));
const pool = new pg.Pool({
  connectionString: settings.databaseUrl,
  min: settings.poolSize,
  max: settings.poolSize,
  pipeline: true,
});
const app = Fastify({
  loggerInstance: pino({ base: null }, pino.destination({ dest: settings.logFile, sync: false, minLength: 0 })),
  // The line of each request is made below.
  logController: new LogController({ disableRequestLogging: true }),
});

const callers = new Map<string, { until: number; caller: Promise<Caller | undefined> }>();

function callerOf(key: string): Promise<Caller | undefined> {
  const hash = createHmac('sha256', pepper).update(key).digest();
  const id = hash.toString('base64');
  const now = performance.now();
  const known = callers.get(id);
  if (known && known.until > now) return known.caller;
  const caller = pool.query<Caller>('select tenant_id, environment from resolve_api_key($1)', [hash]).then(({ rows }) => rows[0]);
  callers.set(id, { until: now + KEY_MS, caller });
  return caller;
}

/** One statement in a transaction of its own that has the caller's scope. */
async function inScope<Row extends pg.QueryResultRow>(caller: Caller, statement: pg.QueryConfig): Promise<Row | undefined> {
  const client = await pool.connect();
  try {
    const [, , { rows }] = await Promise.all([
      client.query('begin'),
      client.query({
        name: 'scope',
        text: "select set_config('app.tenant_id', $1, true), set_config('app.environment', $2, true), set_config('app.member_id', '', true)",
        values: [caller.tenant_id, caller.environment],
      }),
      client.query<Row>(statement),
      client.query('commit'),
    ]);
    return rows[0];
  } finally {
    client.release();
  }
}

/** No handler is reached without one. */
function scopeOf(caller: Caller | undefined): Caller {
  if (!caller) throw new Error('nobody called');
  return caller;
}

const COLUMNS = ['id', 'email', 'membership_tier', 'parent_id', 'is_active', 'can_recruit', 'pay_currency', 'created_at'];
const answer = {
  type: 'object',
  properties: Object.fromEntries(
    COLUMNS.map((name) => [
      name,
      { type: name.startsWith('is_') || name.startsWith('can_') ? 'boolean' : 'string', nullable: true },
    ]),
  ),
};
const READ = `select ${COLUMNS.join(', ')} from member where tenant_id = $1 and environment = $2 and id = $3`;
const CREATE = `
  insert into member (tenant_id, environment, email, email_norm, membership_tier, parent_id, is_active, can_recruit, is_test_user,
                      pay_currency)
  values ($1, $2, $3, lower($3), 'ORDINARY', $4, true, true, false, 'USD') returning ${COLUMNS.join(', ')}`;

app.decorateRequest('caller');
app.addHook('onRequest', async (request, reply) => {
  const caller = await callerOf(String(request.headers['x-tenant-api-key'] ?? ''));
  if (!caller) return reply.code(401).send();
  request.caller = caller;
  return undefined;
});
app.addHook('onResponse', async (request, reply) => {
  const { tenant_id: tenantId, environment } = request.caller ?? {};
  const { method, routeOptions } = request;
  request.log.info(
    { method, route: routeOptions.url, status: reply.statusCode, ms: Math.round(reply.elapsedTime), tenantId, environment },
    'request',
  );
});

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller;
  }
}

app.get<{ Querystring: { user_id: string } }>(
  '/users/status',
  {
    schema: {
      querystring: { type: 'object', required: ['user_id'], properties: { user_id: { type: 'string', format: 'uuid' } } },
      response: { 200: answer },
    },
  },
  async ({ caller, query }, reply) => {
    const scope = scopeOf(caller);
    const values = [scope.tenant_id, scope.environment, query.user_id];
    const member = await inScope(scope, { name: 'read', text: READ, values });
    return member ?? reply.code(404).send();
  },
);

app.post<{ Body: { email: string; parent_id: string } }>(
  '/users',
  {
    schema: {
      body: {
        type: 'object',
        required: ['email', 'parent_id'],
        properties: { email: { type: 'string', format: 'email' }, parent_id: { type: 'string', format: 'uuid' } },
      },
      response: { 201: answer },
    },
  },
  async ({ caller, body }, reply) => {
    const scope = scopeOf(caller);
    const values = [scope.tenant_id, scope.environment, body.email, body.parent_id];
    return reply.code(201).send(await inScope(scope, { name: 'create', text: CREATE, values }));
  },
);

await app.listen({ port: settings.port, host: '127.0.0.1' });
process.send?.('ready');
