/** Login roles of a database the service sets up by itself: the embedded one and the compose one. */
import pg from 'pg';

export interface Login {
  user: string;
  password: string;
}

const SETUP_LOCK = 7_420_113_002n;

/** Runs `change` as the only process that changes roles or databases: two at once would fail each other. */
export async function withRoleAdmin<T>(url: string, change: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [SETUP_LOCK]);
    return await change(client);
  } finally {
    await client.end();
  }
}

/**
 * Makes each role exist and able to log in with its password. Needs CREATEROLE. The limits and
 * grants of the roles come with the migrations.
 */
export async function ensureLoginRoles(client: pg.Client, logins: Login[]): Promise<void> {
  for (const { user, password } of logins) {
    const role = client.escapeIdentifier(user);
    const found = await client.query('select from pg_roles where rolname = $1', [user]);
    if (found.rowCount === 0) await client.query(`create role ${role} nosuperuser nobypassrls nocreaterole nocreatedb`);
    await client.query(`alter role ${role} login password ${client.escapeLiteral(password)}`);
  }
}

/** User and password of a connection URL. */
export function loginOf(url: string): Login {
  const { username, password } = new URL(url);
  return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
}
