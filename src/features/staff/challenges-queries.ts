/** What was asked of a browser and waits for its answer, in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { tenantTable } from '../../db/tenant-table.ts';

export type ChallengeKind = 'sign_in' | 'passkey_sign_in' | 'passkey_add' | 'step_up' | 'sso' | 'not_me';

export interface Challenge {
  id: string;
  kind: ChallengeKind;
  staffId: string | null;
  sessionId: string | null;
  data: Record<string, unknown>;
}

const challenge = tenantTable('staff_challenge');

interface NewChallenge {
  hash: Buffer;
  kind: ChallengeKind;
  staffId: string | null;
  sessionId: string | null;
  data: string;
  minutes: number;
}

const insert = statement<unknown, NewChallenge>('staff_challenge_insert', ({ hash, kind, staffId, sessionId, data, minutes }) =>
  raw(
    `insert into staff_challenge (tenant_id, environment, token_hash, kind, staff_id, session_id, data, expires_at)
       values (:tenantId, :environment, :hash, :kind, :staffId, :sessionId, :data::jsonb, now() + make_interval(mins => :minutes))`,
    { hash, kind, staffId, sessionId, data, minutes },
  ),
);

export async function insertChallenge(db: Db, scope: Scope, given: NewChallenge): Promise<void> {
  await db.rows(insert(scope, given));
}

const OPEN = 'c.used_at is null and c.expires_at > now()';
const COLUMNS = 'c.id, c.kind, c.staff_id as "staffId", c.session_id as "sessionId", c.data';

const find = statement<Challenge, { id: string }>('staff_challenge_find', ({ id }) =>
  challenge('c').where('c.id', id).whereRaw(OPEN).select(raw(COLUMNS)),
);

export function findChallenge(db: Db, scope: Scope, id: string): Promise<Challenge | undefined> {
  return db.row(find(scope, { id }));
}

const take = statement<Challenge, { id: string }>('staff_challenge_take', ({ id }) =>
  challenge('c')
    .where('c.id', id)
    .whereRaw(OPEN)
    .update({ used_at: raw('now()') })
    .returning(raw(COLUMNS)),
);

/** Undefined when it was taken before, or its time is over. */
export function takeChallenge(db: Db, scope: Scope, id: string): Promise<Challenge | undefined> {
  return db.row(take(scope, { id }));
}

const useUp = statement<unknown, { staffId: string; kinds: readonly ChallengeKind[] | null }>(
  'staff_challenge_use_up',
  ({ staffId, kinds }) =>
    challenge('c')
      .where('c.staff_id', staffId)
      .whereRaw('(:kinds::text[] is null or c.kind = any(:kinds))', { kinds })
      .whereRaw(OPEN)
      .update({ used_at: raw('now()') }),
);

/** No answer to what was asked of a person is taken any more; of all kinds where none is named. */
export async function useUpChallenges(
  db: Db,
  scope: Scope,
  { staffId, kinds }: { staffId: string; kinds?: readonly ChallengeKind[] },
): Promise<void> {
  await db.rows(useUp(scope, { staffId, kinds: kinds ?? null }));
}
