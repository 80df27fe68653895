/** Login roles of a database the service sets up by itself: the embedded one and the compose one. */
import pg from 'pg';

export interface Login {
  user: string;
  password: string;
}

/**
 * Makes each role exist and able to log in with its password. Needs CREATEROLE. The limits and
 * grants of the roles come with the migrations.
 */
export async function ensureLoginRoles(ownerUrl: string, logins: Login[]): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    for (const { user, password } of logins) {
      const role = client.escapeIdentifier(user);
      const found = await client.query('select from pg_roles where rolname = $1', [user]);
      if (found.rowCount === 0) await client.query(`create role ${role} nosuperuser nobypassrls nocreaterole nocreatedb`);
      await client.query(`alter role ${role} login password ${client.escapeLiteral(password)}`);
    }
  } finally {
    await client.end();
  }
}

/** User and password of a connection URL. */
export function loginOf(url: string): Login {
  const { username, password } = new URL(url);
  return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
}
