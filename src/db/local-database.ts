/** The database of a machine without one: an embedded server, its roles, its schema. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { readOrCreatePrivateJson, replacePrivateJson } from '../private-file.ts';
import { type EmbeddedCluster, startEmbeddedCluster } from './embedded.ts';
import { ensureLoginRoles, type Login, withRoleAdmin } from './roles.ts';

export interface DatabaseUrls {
  /** svc_owner: migrations. */
  ownerUrl: string;
  /** svc_app: the service. */
  appUrl: string;
  /** svc_worker: background jobs. */
  workerUrl: string;
  /** svc_admin: doctor and other reading across tenants. */
  adminUrl: string;
}

export interface LocalDatabase extends DatabaseUrls {
  /** Stops the server unless another process of the service still uses it. */
  release(): Promise<void>;
}

type Logins = Record<'owner' | 'app' | 'worker' | 'admin', Login>;

const DATABASE = 'svc';

/** Starts or adopts the server in `dataDir`, with every role and migration in place. */
export async function openLocalDatabase(
  dataDir: string,
  migrate: (ownerUrl: string) => Promise<unknown>,
): Promise<LocalDatabase> {
  const cluster = await startEmbeddedCluster({ directory: path.join(dataDir, 'postgres') });
  const holder = await hold(cluster);
  const loginsFile = path.join(dataDir, 'database-logins.json');
  const logins = await withRoleAdmin(cluster.url('postgres'), async () => readLogins(loginsFile));
  const urls = await prepareDatabase(cluster, DATABASE, logins);
  await migrate(urls.ownerUrl);
  return { ...urls, release: () => stopUnlessHeld(cluster, holder) };
}

/** Makes the database, owned by a role that is no superuser, and the logins of a production set-up. */
export async function prepareDatabase(cluster: EmbeddedCluster, database: string, logins: Logins): Promise<DatabaseUrls> {
  await withRoleAdmin(cluster.url('postgres'), async (client) => {
    await ensureLoginRoles(client, [logins.owner, logins.app, logins.worker, logins.admin]);
    const owner = client.escapeIdentifier(logins.owner.user);
    await client.query(`alter role ${owner} createrole`);
    for (const { user } of [logins.app, logins.worker, logins.admin]) {
      await client.query(`grant ${client.escapeIdentifier(user)} to ${owner} with admin true, inherit false, set false`);
    }
    const found = await client.query('select from pg_database where datname = $1', [database]);
    if (found.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(database)} owner ${owner}`);
  });
  return {
    ownerUrl: cluster.url(database, logins.owner),
    appUrl: cluster.url(database, logins.app),
    workerUrl: cluster.url(database, logins.worker),
    adminUrl: cluster.url(database, logins.admin),
  };
}

/** A file of an earlier release lacks the logins that came later: they are added to it. */
export function readLogins(file: string): Logins {
  const known = readOrCreatePrivateJson(file, newLogins) as Partial<Logins>;
  const logins = { ...newLogins(), ...known };
  if (Object.keys(known).length < Object.keys(logins).length) replacePrivateJson(file, logins);
  return logins;
}

/** Fresh random passwords for the logins. */
export function newLogins(): Logins {
  const login = (user: string): Login => ({ user, password: randomBytes(24).toString('base64url') });
  return { owner: login('svc_owner'), app: login('svc_app'), worker: login('svc_worker'), admin: login('svc_admin') };
}

const HOLDER = 'svc-holder';

/** A connection kept open for as long as the process needs the server; pools close theirs when idle. */
async function hold(cluster: EmbeddedCluster): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: cluster.url('postgres'), application_name: HOLDER });
  client.on('error', () => undefined); // the server is gone; whoever needs it will say so
  await client.connect();
  return client;
}

async function stopUnlessHeld(cluster: EmbeddedCluster, holder: pg.Client): Promise<void> {
  try {
    const others = await holder.query('select from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()', [
      HOLDER,
    ]);
    if ((others.rowCount ?? 0) > 0) return;
  } catch {
    return; // it is not running any more
  } finally {
    await holder.end().catch(() => undefined);
  }
  await cluster.stop();
}
