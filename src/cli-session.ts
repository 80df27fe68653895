/** What an operator's command runs on: the configured database, or the embedded one, running or not. */
import pino from 'pino';
import { type Composition, compose } from './compose.ts';
import { type Config, ConfigError } from './config.ts';
import { openPool } from './db/connect.ts';
import { createFrames, type Frames } from './db/frame.ts';
import { openLocalDatabase } from './db/local-database.ts';
import { loadServiceConfig, migrateService } from './service.ts';

export interface CliSession {
  config: Config;
  ownerUrl: string;
  /** The role svc_admin. Throws when none is configured. */
  adminUrl(): string;
  /** The services, as svc_app. Opened once. */
  composition(): Promise<Composition>;
  /** Statements across tenants, as svc_admin. */
  admin(): Frames;
}

/** Opens what the command asks for, runs it, and closes everything again. */
export async function withSession<T>(options: { needSecrets: boolean }, run: (session: CliSession) => Promise<T>): Promise<T> {
  const config = loadServiceConfig(undefined, options);
  const logger = pino({ level: 'warn' }, pino.destination(2));
  const closers: (() => Promise<unknown>)[] = [];
  const local = config.embedded ? await openLocalDatabase(config.DATA_DIR, migrateService) : undefined;
  if (local) closers.push(() => local.release());
  const appUrl = local?.appUrl ?? config.DATABASE_URL ?? '';
  let composition: Promise<Composition> | undefined;
  const open = async (): Promise<Composition> => {
    const urls = { appUrl, workerUrl: local?.workerUrl ?? config.DATABASE_WORKER_URL ?? appUrl };
    const opened = await compose({ ...config, REDIS_URL: undefined }, urls, logger);
    closers.push(() => opened.close());
    return opened;
  };
  const session: CliSession = {
    config,
    ownerUrl: local?.ownerUrl ?? config.DATABASE_OWNER_URL ?? appUrl,
    adminUrl() {
      const url = local?.adminUrl ?? config.DATABASE_ADMIN_URL;
      if (url === undefined) throw new ConfigError(['DATABASE_ADMIN_URL: required for this command (the role svc_admin)']);
      return url;
    },
    composition() {
      composition ??= open();
      return composition;
    },
    admin() {
      const pool = openPool({ url: session.adminUrl(), size: 1, acquireTimeoutMs: 10_000, applicationName: 'svc-cli', logger });
      closers.push(() => pool.end());
      return createFrames(pool);
    },
  };
  try {
    return await run(session);
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}
