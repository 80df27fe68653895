/** Events that were written down, as rows. */
import type { Scope } from '../../../src/db/scope.ts';
import { sealEvents } from '../../../src/features/webhooks/log/seal-events.ts';
import type { TestApp } from '../app/test-app.ts';
import { runJobs } from '../jobs/run-jobs.ts';

export interface ToldRow {
  id: string;
  type: string;
  objectId: string;
  actor: string;
  // biome-ignore lint/suspicious/noExplicitAny: the object of each type is another.
  data: Record<string, any>;
  leftOut: string[];
  /** Null of one that has no number yet. */
  sequence: number | null;
  version: number;
}

/** In the order of their ids; with their numbers, if they have one. */
export function toldEvents(app: TestApp, { tenantId, environment }: Scope): Promise<ToldRow[]> {
  return app.database.asSuperuser<ToldRow>(
    `select e.id, e.type, e.object_id as "objectId", e.actor, e.data, e.left_out as "leftOut", s.sequence::int as sequence,
            e.object_version::float8 as version
     from outgoing_event e left join outgoing_sequence s
       on s.tenant_id = e.tenant_id and s.environment = e.environment and s.event_id = e.id
     where e.tenant_id = $1 and e.environment = $2 order by e.id`,
    [tenantId, environment],
  );
}

/** The jobs tell of what has changed together: the payouts of a run, or of an erasure, and the accounts of a member. */
export async function tellPayouts(app: TestApp): Promise<void> {
  const waiting = await app.database.asSuperuser<{ name: string }>(
    "select distinct name from pgboss.job where name in ('tell-payouts', 'tell-accounts') and state < 'active'",
  );
  for (const { name } of waiting) await runJobs(app, name);
}

/** Those that came since the last call, in the order of their ids; with what the job tells. */
export function openEar(app: TestApp, scope: Scope): { heard(): Promise<ToldRow[]> } {
  let last = '';
  return {
    async heard() {
      await tellPayouts(app);
      const fresh = (await toldEvents(app, scope)).filter(({ id }) => id > last);
      last = fresh.at(-1)?.id ?? last;
      return fresh;
    },
  };
}

/** Numbers all that was told, as the worker does. */
export async function sealAll(app: TestApp, scope: Scope): Promise<void> {
  while ((await app.composition.background.frames.write(scope, (db) => sealEvents(db, scope))) > 0);
}
