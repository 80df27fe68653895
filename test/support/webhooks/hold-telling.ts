/** A transaction that has read what it tells, and waits before it writes that down; meanwhile others go on. */
import pg from 'pg';
import type { TestApp } from '../app/test-app.ts';
import { eventually } from '../jobs/test-jobs.ts';

const KEY = 4_711;

/** Changes the schema: the app needs a database of its own. */
export async function plantTellingHold({ database }: TestApp): Promise<void> {
  await database.asSuperuser(`
    create table held_type (type text primary key);
    grant select on held_type to public;
    create function hold_telling() returns trigger language plpgsql set lock_timeout = 0 as $$
    begin
      if exists (select from held_type h where h.type = new.type) then perform pg_advisory_xact_lock_shared(${KEY}); end if;
      return new;
    end $$;
    create trigger hold_telling before insert on outgoing_event for each row execute function hold_telling()`);
}

/** What `first` tells of that type waits, behind all that it has read, until `meanwhile` is done. */
export async function whileTelling<Answer>(
  { database }: TestApp,
  type: string,
  first: () => Promise<Answer>,
  meanwhile: () => Promise<unknown>,
): Promise<Answer> {
  const holder = new pg.Client({ connectionString: database.appUrl });
  await holder.connect();
  try {
    await holder.query('select pg_advisory_lock($1)', [KEY]);
    await database.asSuperuser('insert into held_type values ($1)', [type]);
    const running = first();
    running.catch(() => undefined); // awaited below
    await eventually(async () => {
      const waiting = await database.asSuperuser(
        "select from pg_locks where locktype = 'advisory' and objid = $1 and not granted",
        [KEY],
      );
      return waiting.length > 0;
    });
    await database.asSuperuser('delete from held_type');
    await meanwhile();
    await holder.query('select pg_advisory_unlock($1)', [KEY]);
    return await running;
  } finally {
    await holder.end();
  }
}
