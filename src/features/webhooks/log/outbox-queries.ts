/** Events of a transaction, in SQL. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_FIXED_NOW } from '../../../db/scope-clock.ts';

export interface NewOutgoing {
  type: string;
  objectId: string;
  /** An `actorRef`. */
  actor: string;
  /** As JSON; null where it cannot be told. */
  data: string | null;
  leftOut: readonly string[];
}

interface Parameters {
  types: string[];
  objectIds: string[];
  actors: string[];
  /** A JSON array: the members of an array of texts would be quoted once more. */
  datas: string;
  leftOuts: string[];
  onlyFor: string | null;
}

/** Ids are made in the order of the list. The clock of the version goes on within a transaction, and is read behind the locks on the objects. */
const insert = statement<{ id: string }, Parameters>(
  'webhooks_insert_events',
  ({ types, objectIds, actors, datas, leftOuts, onlyFor }) =>
    raw(
      `with told as materialized (
     select t.type, t.object_id, t.actor, nullif(t.data::text, 'null')::json as data,
            string_to_array(nullif(t.left_out, ''), ',') as left_out
     from rows from (unnest(:types::text[]), unnest(:objectIds::text[]), unnest(:actors::text[]), json_array_elements(:datas::json),
                     unnest(:leftOuts::text[]))
       with ordinality as t (type, object_id, actor, data, left_out, n)
     order by t.n),
   written as (
     insert into outgoing_event (tenant_id, environment, type, occurred_at, object_id, object_version, actor, data, left_out, only_for)
     select :tenantId, :environment, t.type, ${SCOPE_FIXED_NOW}, t.object_id,
            (extract(epoch from clock_timestamp()) * 1000000)::bigint, t.actor, t.data, coalesce(t.left_out, '{}'), :onlyFor::uuid
     from told t
     returning id),
   queued as (
     insert into outgoing_unsealed (tenant_id, environment, event_id) select :tenantId, :environment, w.id from written w)
   select id from written`,
      { types, objectIds, actors, datas, leftOuts, onlyFor },
    ),
);

/** Of one statement: more are sent one after the other, so that no text and no answer grows with what is told. */
const MOST_EVENTS = 50;
const MOST_CHARACTERS = 4_000_000;

export function* portionsOf(events: readonly NewOutgoing[]): Generator<NewOutgoing[]> {
  let portion: NewOutgoing[] = [];
  let size = 0;
  for (const event of events) {
    const length = event.data?.length ?? 0;
    if (portion.length === MOST_EVENTS || (portion.length > 0 && size + length > MOST_CHARACTERS)) {
      yield portion;
      portion = [];
      size = 0;
    }
    portion.push(event);
    size += length;
  }
  if (portion.length > 0) yield portion;
}

/** In the order that they are given in; `onlyFor` names the one endpoint that hears of them. Returns their ids. */
export async function insertOutgoing(
  db: Db,
  scope: Scope,
  events: readonly NewOutgoing[],
  onlyFor: string | null = null,
): Promise<string[]> {
  const ids: string[] = [];
  for (const portion of portionsOf(events)) {
    const rows = await db.rows(
      insert(scope, {
        types: portion.map(({ type }) => type),
        objectIds: portion.map(({ objectId }) => objectId),
        actors: portion.map(({ actor }) => actor),
        datas: `[${portion.map(({ data }) => data ?? 'null').join(',')}]`,
        leftOuts: portion.map(({ leftOut }) => leftOut.join(',')),
        onlyFor,
      }),
    );
    for (const { id } of rows) ids.push(id);
  }
  return ids;
}

/** What is told is told to the tenant, also where a member did it: nothing is narrowed to that member. */
const forgetMember = statement<unknown>('webhooks_forget_member', () => raw(`select set_config('app.member_id', '', true)`));

export async function widenToTenant(db: Db, scope: Scope): Promise<void> {
  await db.rows(forgetMember(scope));
}
