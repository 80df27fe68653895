/** Puts the functions of all features' parts into the database, and gives their owners the rights that they need. */
import pg from 'pg';
import {
  composeDueScopes,
  composeEraseSandbox,
  type DuePart,
  type FunctionParts,
  listErasedTables,
} from './composed-functions.ts';

/** Safe to repeat: what is there already is left as it is. All or nothing; run by the schema owner as a part of `migrate`. */
export async function installComposedFunctions(ownerUrl: string, features: readonly FunctionParts[]): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    // As in a migration: what cannot have its lock soon must fail, not make every request queue behind it.
    await client.query("begin; set local lock_timeout = '3s'");
    for (const table of listErasedTables(features)) await openToEraser(client, table);
    for (const part of listDueParts(features)) if ('table' in part) await openToDueScopes(client, part);
    await install(client, {
      text: composeDueScopes(features),
      name: 'due_scopes',
      owner: 'svc_auth',
      callers: 'svc_app, svc_worker',
    });
    await install(client, {
      text: composeEraseSandbox(features),
      name: 'erase_sandbox',
      owner: 'svc_eraser',
      callers: 'svc_app',
    });
    // The text is looked at as a whole only when it runs: what cannot is refused here, not every second in each worker.
    await client.query('set local role svc_auth; select from due_scopes(); reset role');
    await client.query('commit');
  } finally {
    await client.end();
  }
}

interface Installed {
  text: string;
  name: string;
  /** A role that nobody logs in as. */
  owner: string;
  callers: string;
}

async function install(client: pg.Client, { text, name, owner, callers }: Installed): Promise<void> {
  await client.query(`
    grant create on schema public to ${owner};
    set local role ${owner};
    ${text};
    revoke all on function ${name}() from public;
    grant execute on function ${name}() to ${callers};
    reset role;
    revoke create on schema public from ${owner}`);
}

const listDueParts = (features: readonly FunctionParts[]): DuePart[] =>
  features.flatMap(({ due = {} }) => Object.values(due).flat());

async function openToEraser(client: pg.Client, table: string): Promise<void> {
  if (!(await hasPolicy(client, table, 'sandbox_erasure'))) await client.query(`call open_sandbox_to_eraser('${table}')`);
}

/** The keys, and the columns that the part names. */
async function openToDueScopes(client: pg.Client, part: Exclude<DuePart, { select: string }>): Promise<void> {
  const { table } = part;
  if (!(await hasPolicy(client, table, 'resolver_reads'))) {
    await client.query(`create policy resolver_reads on ${table} for select to svc_auth using (true)`);
  }
  const { where = '', at = '', orderedBy = '' } = { at: undefined, orderedBy: undefined, ...part };
  const named = `${where} ${at} ${orderedBy}`.replace(/'[^']*'/g, '').match(/\w+/g) ?? [];
  const { rows } = await client.query<{ name: string }>(
    `select a.attname as name from pg_attribute a
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attname = any ($2)
       and not has_column_privilege('svc_auth', a.attrelid, a.attnum, 'select')`,
    [table, ['tenant_id', 'environment', ...named]],
  );
  if (rows.length > 0) await client.query(`grant select (${rows.map(({ name }) => name).join(', ')}) on ${table} to svc_auth`);
}

async function hasPolicy(client: pg.Client, table: string, policy: string): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_policy where polrelid = $1::regclass and polname = $2', [
    table,
    policy,
  ]);
  return rowCount === 1;
}
