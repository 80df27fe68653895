/** The composition root: from a configuration to everything that runs, in dependency order. `close` reverses it. */

import type { Logger } from 'pino';
import { createClient, type RedisClientType } from 'redis';
import { type App, createApp, type Services } from './app.ts';
import { composeKyc } from './compose-kyc.ts';
import { composePayments } from './compose-payments.ts';
import type { Config } from './config.ts';
import { openPool } from './db/connect.ts';
import { createFrames, type Frames } from './db/frame.ts';
import { createCipher } from './encryption.ts';
import { setFaultPoints } from './fault-points.ts';
import { createAttributionService } from './features/attribution/attribution-service.ts';
import { createReceiptsService } from './features/attribution/receipts-service.ts';
import { createAuditLogService } from './features/audit/audit-log-service.ts';
import { createAccessTokens } from './features/auth/access-tokens.ts';
import { createExchangeService, type ExternalProviders } from './features/auth/exchange-service.ts';
import { createProvidersService } from './features/auth/providers-service.ts';
import { createRefreshTokens } from './features/auth/refresh-tokens.ts';
import { createSessions } from './features/auth/sessions.ts';
import { createSigningKeys } from './features/auth/signing-keys.ts';
import { createTokensService } from './features/auth/tokens-service.ts';
import { CLEARING_BATCH, createCommissionsService } from './features/commissions/commissions-service.ts';
import { lineLocks } from './features/commissions/lines-service.ts';
import { createPlansService } from './features/commissions/plans-service.ts';
import { createBatchService } from './features/events/batch-service.ts';
import { createContentDigester } from './features/events/content-digest.ts';
import { createEventsService } from './features/events/events-service.ts';
import { createQuoteService } from './features/events/quote-service.ts';
import { WRITE_OFF_BATCH } from './features/events/write-off-debts.ts';
import { createExchangeRatesService } from './features/exchange-rates/exchange-rates-service.ts';
import { createDownlineService } from './features/genealogy/downline-service.ts';
import { DOWNLINE_BATCH, foldDownline } from './features/genealogy/fold-downline.ts';
import { createGenealogyService } from './features/genealogy/genealogy-service.ts';
import { createImportKinds } from './features/imports/import-kinds.ts';
import { createImportsService } from './features/imports/imports-service.ts';
import { createImportJob } from './features/imports/run-import.ts';
import { tidyImports } from './features/imports/tidy-imports.ts';
import { expireLeads } from './features/leads/expire-leads.ts';
import { createLeadsService } from './features/leads/leads-service.ts';
import { CHECK_LEDGER, createLedgerCheck } from './features/ledger/check-ledger.ts';
import { BLOCK_JOURNALS, createLedgerService, sealJournals } from './features/ledger/ledger-service.ts';
import { FOLD_BATCH, foldCommissions } from './features/members/fold-commissions.ts';
import { createMemberListService } from './features/members/member-list-service.ts';
import { createMembersService } from './features/members/members-service.ts';
import { createDataExportService } from './features/profile/data-export-service.ts';
import { createErasureService } from './features/profile/erasure-service.ts';
import { createProfileService } from './features/profile/profile-service.ts';
import { createClickIds } from './features/referrals/click-ids.ts';
import { createClicksService } from './features/referrals/clicks-service.ts';
import { createReferralCodesService } from './features/referrals/codes-service.ts';
import { forgetClicks } from './features/referrals/forget-clicks.ts';
import { createReferralLinksService } from './features/referrals/links-service.ts';
import { createRedirectService } from './features/referrals/redirect-service.ts';
import { createReferralSettingsPart } from './features/referrals/referral-settings-part.ts';
import { createAddressHasher } from './features/referrals/visitor.ts';
import { createSandboxService } from './features/sandbox/sandbox-service.ts';
import { createApiKeysService } from './features/tenants/api-keys-service.ts';
import { createKeyUse, type KeyUse } from './features/tenants/key-use.ts';
import { createSettingsService } from './features/tenants/settings-service.ts';
import { createTenantsService, type TenantsService } from './features/tenants/tenants-service.ts';
import { createSponsorService } from './features/users/sponsor-service.ts';
import { createUsersService } from './features/users/users-service.ts';
import { createAuthenticator } from './http/authenticate.ts';
import { expireIdempotencyKeys } from './http/expire-idempotency-keys.ts';
import { createHealth, type Health } from './http/health.ts';
import { createIdempotency } from './http/idempotency.ts';
import { createCursors } from './http/pagination.ts';
import { createRateLimits } from './http/rate-limit.ts';
import { createBodyReader } from './http/wire-guard.ts';
import { type Background, createBackground } from './jobs/background.ts';
import { createJobQueue, type JobQueue } from './jobs/queue.ts';
import { type Sweep, sweepScope } from './jobs/schedule.ts';
import { createOutgoingClient } from './outgoing/outgoing-client.ts';
import { createOwnAddress, type OwnAddress } from './own-address.ts';
import type { ObjectStorage } from './vendors/storage/object-storage.ts';

export interface Composition {
  app: App;
  services: Services;
  frames: Frames;
  tenants: TenantsService;
  /** To be started by a process that answers requests. */
  keyUse: KeyUse;
  health: Health;
  queue: JobQueue;
  background: Background;
  storage: ObjectStorage;
  /** To be told the port once there is one. */
  ownAddress: OwnAddress;
  close(): Promise<void>;
}

/** The configured databases or the embedded one: as svc_app, and as svc_worker for background jobs. */
export async function compose(
  config: Config,
  { appUrl, workerUrl }: { appUrl: string; workerUrl: string },
  logger: Logger,
  /** In tests, providers that need not be asked. */
  standIn?: ExternalProviders,
): Promise<Composition> {
  setFaultPoints(config.FAULT_POINTS);
  const acquireTimeoutMs = config.DATABASE_ACQUIRE_TIMEOUT_MS;
  const pool = openPool({ url: appUrl, size: config.DATABASE_POOL_SIZE, acquireTimeoutMs, applicationName: 'svc-api', logger });
  const redis = await openRedis(config, logger);
  const frames = createFrames(pool);
  const rateLimits = createRateLimits(config, redis, logger);
  const keyUse = createKeyUse({ frames, logger });
  const health = createHealth(frames);
  const queue = createJobQueue(frames, logger);
  const pepper = config.secrets.apiKeyPepper;
  const cursors = createCursors(pepper);
  const clickIds = createClickIds(pepper);
  const attribution = createAttributionService({ clickIds });
  const cipher = createCipher(config.secrets.dataKeys);
  const ownAddress = createOwnAddress(config);
  const plans = createPlansService({ frames, cursors });
  const exchangeRates = createExchangeRatesService({ frames, cursors });
  const events = createEventsService({
    frames,
    attribution,
    plans,
    cursors,
    digester: createContentDigester(pepper),
    lines: lineLocks,
    readRates: exchangeRates.readRates,
  });
  const commissions = createCommissionsService({ frames, cursors });
  const ledger = createLedgerService({ frames, cursors });
  const payments = composePayments({ config, frames, cursors, cipher, logger, queue, plans });
  const outgoing = createOutgoingClient(config.OUTGOING_ALLOWED_HOSTS ?? []);
  const profiles = createProfileService({ frames, cipher });
  const kyc = composeKyc({ config, frames, cursors, cipher, logger, queue, outgoing, profiles, ownAddress });

  const sweeps: Sweep[] = [
    expireIdempotencyKeys,
    { name: 'clear-commissions', batchSize: CLEARING_BATCH, run: commissions.clearDue },
    { name: 'write-off-debts', batchSize: WRITE_OFF_BATCH, run: events.writeOffDue },
    payments.sweeps.execute,
    payments.sweeps.check,
    { name: 'fold-downline', batchSize: DOWNLINE_BATCH, run: foldDownline },
    { name: 'fold-commissions', batchSize: FOLD_BATCH, run: foldCommissions },
    payments.sweeps.retryEvents,
    expireLeads,
    kyc.sweeps.check,
    kyc.sweeps.removeObjects,
    payments.sweeps.provision,
    forgetClicks,
    kyc.sweeps.forgetEvents,
    payments.sweeps.forgetEvents,
    tidyImports,
    // Last, so that it seals what the others have posted.
    {
      name: 'seal-ledger',
      batchSize: BLOCK_JOURNALS,
      run: (db, scope) => sealJournals(db, scope, (tx) => queue.enqueue(tx, scope, CHECK_LEDGER, {})),
    },
  ];

  const genealogy = createGenealogyService({ frames, cursors });
  const users = createUsersService({ frames, cursors });
  const leads = createLeadsService({ frames, cursors, attribution, users });
  const batches = createBatchService({ frames, events });
  const importKinds = createImportKinds({ users, leads, batches });
  const authProviders = createProvidersService({ frames, cursors, outgoing });
  const signingKeys = createSigningKeys({ frames, cipher });
  const accessTokens = createAccessTokens({ keys: signingKeys, issuer: config.AUTH_ISSUER });
  const sessions = createSessions({ frames, accessTokens });
  const tokens = createTokensService({ frames, accessTokens, refreshTokens: createRefreshTokens(pepper), sessions });
  const clickParts = { frames, clickIds, hashAddress: createAddressHasher(pepper) };

  const services: Services = {
    config,
    logger,
    health,
    http: {
      authenticator: createAuthenticator(frames, pepper, keyUse.note),
      members: {
        authenticate: sessions.authenticate,
        isBelow: genealogy.isBelow,
      },
      rateLimits,
      bodyReader: createBodyReader(config.BODY_LIMIT_BYTES),
      idempotency: createIdempotency(config, cipher),
    },
    users,
    sponsor: createSponsorService({ frames }),
    leads,
    imports: createImportsService({ frames, cursors, queue, kinds: importKinds }),
    referralCodes: createReferralCodesService({ frames, cursors }),
    referralLinks: createReferralLinksService({ frames, cursors, ownAddress: ownAddress.url }),
    receipts: createReceiptsService({ frames, cursors }),
    events,
    batches,
    quotes: createQuoteService({ frames, attribution, readRates: exchangeRates.readRates, parsePlan: plans.parse }),
    commissions,
    members: createMembersService({ frames }),
    genealogy,
    downline: createDownlineService({ frames, cursors }),
    memberList: createMemberListService({ frames, cursors }),
    plans,
    exchangeRates,
    apiKeys: createApiKeysService({
      frames,
      cursors,
      pepper,
      rateLimits: { LIVE: config.RATE_LIMIT_LIVE, SANDBOX: config.RATE_LIMIT_SANDBOX },
    }),
    settings: createSettingsService({
      frames,
      kyc: kyc.settingsPart,
      payments: payments.settingsPart,
      referrals: createReferralSettingsPart(),
    }),
    sandbox: createSandboxService({ frames, plans, runSweeps: (scope) => sweepScope({ frames, logger, sweeps }, scope) }),
    ledger,
    ...payments.services,
    ...kyc.services,
    auditLog: createAuditLogService({ frames, cursors }),
    profiles,
    erasure: createErasureService({ frames }),
    dataExport: createDataExportService({ frames, cipher, readHistory: users.readHistory }),
    authProviders,
    signingKeys,
    tokens,
    exchange: standIn
      ? createExchangeService({ frames, providers: standIn, users, tokens })
      : createExchangeService({ frames, providers: authProviders, users, tokens }),
    clicks: createClicksService(clickParts),
    redirects: createRedirectService(clickParts),
  };

  const background = createBackground({
    pool: openPool({ url: workerUrl, size: config.WORKER_POOL_SIZE, acquireTimeoutMs, applicationName: 'svc-worker', logger }),
    logger,
    sweeps,
    handlers: [createLedgerCheck(logger), ...kyc.handlers, ...payments.handlers, createImportJob({ queue, kinds: importKinds })],
    sweepIntervalMs: config.SWEEP_INTERVAL_MS,
    aliveFile: config.WORKER_ALIVE_FILE,
  });

  return {
    app: createApp(services),
    services,
    frames,
    tenants: createTenantsService({ frames, plans, pepper }),
    keyUse,
    health,
    queue,
    background,
    storage: kyc.storage,
    ownAddress,
    async close() {
      await keyUse.close();
      await background.close();
      await queue.close();
      rateLimits.close();
      kyc.storage.close();
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
