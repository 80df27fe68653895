/** The composition root: from a configuration to everything that runs, in dependency order. `close` reverses it. */

import type { Logger } from 'pino';
import { createClient, type RedisClientType } from 'redis';
import { type App, createApp, type Services } from './app.ts';
import type { Config } from './config.ts';
import { openPool } from './db/connect.ts';
import { createFrames, type Frames } from './db/frame.ts';
import { createCipher } from './encryption.ts';
import { setFaultPoints } from './fault-points.ts';
import { createPlansService } from './features/commissions/plans-service.ts';
import { createContentDigester } from './features/events/content-digest.ts';
import { createEventsService } from './features/events/events-service.ts';
import { createLeadsService } from './features/leads/leads-service.ts';
import { createLedgerService } from './features/ledger/ledger-service.ts';
import { createMembersService } from './features/members/members-service.ts';
import { createTenantsService, type TenantsService } from './features/tenants/tenants-service.ts';
import { createUsersService } from './features/users/users-service.ts';
import { createAuthenticator } from './http/authenticate.ts';
import { createHealth, type Health } from './http/health.ts';
import { createIdempotency } from './http/idempotency.ts';
import { createCursors } from './http/pagination.ts';
import { createRateLimits } from './http/rate-limit.ts';
import { createBodyReader } from './http/wire-guard.ts';

export interface Composition {
  app: App;
  services: Services;
  frames: Frames;
  tenants: TenantsService;
  health: Health;
  close(): Promise<void>;
}

/** `databaseUrl` connects as svc_app: the configured one, or the embedded server's. */
export async function compose(config: Config, databaseUrl: string, logger: Logger): Promise<Composition> {
  setFaultPoints(config.FAULT_POINTS);
  const pool = openPool({
    url: databaseUrl,
    size: config.DATABASE_POOL_SIZE,
    acquireTimeoutMs: config.DATABASE_ACQUIRE_TIMEOUT_MS,
    applicationName: 'svc-api',
    logger,
  });
  const redis = await openRedis(config, logger);
  const frames = createFrames(pool);
  const rateLimits = createRateLimits(config, redis);
  const health = createHealth(frames);
  const plans = createPlansService();
  const pepper = config.secrets.apiKeyPepper;

  const services: Services = {
    config,
    logger,
    health,
    http: {
      authenticator: createAuthenticator(frames, pepper),
      rateLimits,
      bodyReader: createBodyReader(config.BODY_LIMIT_BYTES),
      idempotency: createIdempotency(config, createCipher(config.secrets.dataKeys)),
    },
    users: createUsersService({ frames, cursors: createCursors(pepper) }),
    leads: createLeadsService({ frames }),
    events: createEventsService({ frames, plans, digester: createContentDigester(pepper) }),
    members: createMembersService({ frames }),
    ledger: createLedgerService({ frames, cursors: createCursors(pepper) }),
  };

  return {
    app: createApp(services),
    services,
    frames,
    tenants: createTenantsService({ frames, plans, pepper }),
    health,
    async close() {
      rateLimits.close();
      await redis?.close();
      await pool.end();
    },
  };
}

async function openRedis(config: Config, logger: Logger): Promise<RedisClientType | undefined> {
  if (config.REDIS_URL === undefined) return undefined;
  const redis: RedisClientType = createClient({ url: config.REDIS_URL, disableOfflineQueue: true });
  let away = false;
  redis.on('error', (error: unknown) => {
    if (!away) logger.warn({ err: error }, 'redis is unreachable; rate limits are not counted');
    away = true;
  });
  redis.on('ready', () => {
    if (away) logger.info('redis is back; rate limits are counted');
    away = false;
  });
  // Not awaited for ever: without Redis the service answers, uncounted.
  await Promise.race([redis.connect().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 2_000))]);
  return redis;
}
