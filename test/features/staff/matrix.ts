/** The access matrix of people in the hands of an owner. */
import { randomUUID } from 'node:crypto';
import { listStaff, listStaffInvites, listStaffSessions, listStaffTies } from '../../../src/features/staff/staff-operations.ts';
import type { Operation } from '../../../src/http/operation.ts';
import type { TestApp } from '../../support/app/test-app.ts';
import { plantPerson, signIn } from '../../support/app/test-people.ts';
import {
  cursorReference,
  freshEmail,
  type MatrixRequest,
  type MatrixRow,
  type PlantOnSide,
  type Reference,
  tooLong,
  uuidReference,
} from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';
import { callAsOwner, ownerOf } from '../../support/matrix/person-call.ts';

interface Planted {
  staffId: string;
  email: string;
}
const planted = new WeakMap<Side, Planted>();

/** People are of LIVE: in a SANDBOX there is nobody, and what stands for somebody there is nothing. */
export const isLive = ({ environment }: Pick<Side, 'environment'>): boolean => environment === 'LIVE';
export const personOf = (side: Side): Planted => planted.get(side) ?? { staffId: randomUUID(), email: freshEmail() };

async function plantInvite(app: TestApp, { tenantId }: Pick<Side, 'tenantId'>): Promise<string> {
  const [row] = await app.database.asSuperuser<{ id: string }>(
    `with person as (
       insert into staff (tenant_id, email, email_typed, role, state, created_by)
       values ($1, $2, $2, 'reviewer', 'invited', 'operator') returning id)
     insert into staff_invite (tenant_id, kind, token_hash, staff_id, role, created_by, expires_at)
     select $1, 'invite', sha256(convert_to($2, 'UTF8')), person.id, 'reviewer', 'operator', now() + interval '1 day' from person
     returning id`,
    [tenantId, freshEmail()],
  );
  return row?.id ?? '';
}

async function plantTie(app: TestApp, { tenantId }: Pick<Side, 'tenantId'>): Promise<string> {
  const [row] = await app.database.asSuperuser<{ id: string }>(
    `insert into approval_tie (tenant_id, environment, subject, counts_as, reason, until)
     values ($1, 'LIVE', 'staff:' || gen_random_uuid(), 'staff:' || gen_random_uuid(), 'invited', now() + interval '7 days')
     returning id`,
    [tenantId],
  );
  return row?.id ?? '';
}

/** Of a person with one session that is open. */
async function plantOpenSession(app: TestApp, side: Side): Promise<{ staffId: string; sessionId: string }> {
  const { staffId, sessionId } = await signIn(app, await plantPerson(app, side.tenantId, { role: 'reviewer' }));
  return { staffId, sessionId };
}

export const plantOnSide: PlantOnSide = async (app, side) => {
  if (!isLive(side)) return;
  const owner = await ownerOf(app, side);
  await signIn(app, owner);
  const person = await plantPerson(app, side.tenantId, { role: 'reviewer', name: `canary ${randomUUID()}` });
  await signIn(app, person);
  const { sessionId } = await signIn(app, person);
  for (let i = 0; i < 2; i++) side.canaries.push(await plantInvite(app, side), await plantTie(app, side));
  side.canaries.push(owner.staffId, owner.email, owner.sessionId, person.staffId, person.email, sessionId);
  planted.set(side, person);
};

/** The cursor behind the first row of a list; of nothing in a SANDBOX. */
export const listCursor = (operation: Operation, request: (side: Side) => MatrixRequest = () => ({})): Reference => ({
  at: 'query.cursor',
  async object({ app }: World, side: Side) {
    if (!isLive(side)) return cursorReference.absent();
    const { path, query } = request(side);
    const answer = await callAsOwner(app, side, operation, { ...(path && { path }), query: { ...query, limit: '1' } });
    const { nextCursor } = answer.json as { nextCursor?: string | null };
    if (typeof nextCursor !== 'string') throw new Error(`${operation.operationId} has no second page: ${answer.text}`);
    return nextCursor;
  },
  ...cursorReference,
});

/** Something of the tenant's people that the path names. */
export const named = (name: string, object: (world: World, side: Side) => Promise<string>, status = 200): Reference => ({
  at: `path.${name}`,
  object: async (world, side) => (isLive(side) ? object(world, side) : randomUUID()),
  ...uuidReference,
  own: { status },
  foreign: { status: 404, code: 'NOT_FOUND' },
});

export const ofPeople = { people: true, liveOnly: true, neverByChance: true } as const;
const thePerson = async (_world: World, side: Side): Promise<string> => personOf(side).staffId;
const anotherPerson = async ({ app }: World, side: Side): Promise<string> =>
  (await plantPerson(app, side.tenantId, { role: 'reviewer' })).staffId;
const withPath = (side: Side): MatrixRequest => ({ path: { staffId: personOf(side).staffId } });
const page = { query: { limit: '1' } };

/** A request whose path names what is made for it. */
const onNew =
  (name: string, make: (world: World, side: Side) => Promise<string>, more: MatrixRequest = {}) =>
  async (side: Side, world: World): Promise<MatrixRequest> => ({
    path: { [name]: isLive(side) ? await make(world, side) : randomUUID() },
    ...more,
  });

export const staffRows: Record<string, MatrixRow> = {
  listStaff: { ...ofPeople, request: () => page, status: 200, references: [listCursor(listStaff)] },
  listStaffInvites: { ...ofPeople, request: () => page, status: 200, references: [listCursor(listStaffInvites)] },
  listStaffTies: { ...ofPeople, request: () => page, status: 200, references: [listCursor(listStaffTies)] },
  inviteStaff: {
    ...ofPeople,
    request: () => ({ body: { email: freshEmail(), role: 'reviewer' } }),
    status: 201,
    references: [
      {
        at: 'body.email',
        object: (_world, side) => personOf(side).email,
        absent: freshEmail,
        malformed: tooLong(254),
        own: { status: 409, code: 'STAFF_EXISTS' },
        foreign: { status: 201 },
      },
    ],
  },
  revokeStaffInvite: {
    ...ofPeople,
    request: () => ({ path: { inviteId: randomUUID() } }),
    fresh: onNew('inviteId', ({ app }, side) => plantInvite(app, side)),
    status: 200,
    references: [named('inviteId', ({ app }, side) => plantInvite(app, side))],
  },
  confirmStaffTie: {
    ...ofPeople,
    request: () => ({ path: { tieId: randomUUID() } }),
    fresh: onNew('tieId', ({ app }, side) => plantTie(app, side)),
    status: 200,
    references: [named('tieId', ({ app }, side) => plantTie(app, side))],
  },
  getStaffMember: { ...ofPeople, request: withPath, status: 200, references: [named('staffId', thePerson)] },
  updateStaffMember: {
    ...ofPeople,
    request: (side) => ({ ...withPath(side), body: { name: `canary ${randomUUID()}` } }),
    status: 200,
    references: [named('staffId', thePerson)],
  },
  removeStaffMember: {
    ...ofPeople,
    request: () => ({ path: { staffId: randomUUID() } }),
    fresh: onNew('staffId', anotherPerson),
    status: 200,
    references: [named('staffId', anotherPerson)],
  },
  resetStaffPassword: {
    ...ofPeople,
    request: (side) => ({ ...withPath(side), body: {} }),
    status: 201,
    references: [named('staffId', thePerson, 201)],
  },
  listStaffSessions: {
    ...ofPeople,
    request: (side) => ({ ...withPath(side), ...page }),
    status: 200,
    references: [named('staffId', thePerson), listCursor(listStaffSessions, withPath)],
  },
  endStaffSessions: {
    ...ofPeople,
    request: () => ({ path: { staffId: randomUUID() } }),
    fresh: onNew('staffId', async ({ app }, side) => (await plantOpenSession(app, side)).staffId),
    status: 200,
    references: [named('staffId', anotherPerson)],
  },
  endStaffSession: {
    ...ofPeople,
    request: () => ({ path: { staffId: randomUUID(), sessionId: randomUUID() } }),
    async fresh(side, { app }) {
      if (!isLive(side)) return { path: { staffId: randomUUID(), sessionId: randomUUID() } };
      return { path: { ...(await plantOpenSession(app, side)) } };
    },
    status: 200,
    references: [
      // Of a person other than the one that the path names a session is no more than an absent one.
      named('staffId', anotherPerson, 404),
      named('sessionId', async ({ app }, side) => (await plantOpenSession(app, side)).sessionId, 404),
    ],
  },
  resetFactors: {
    ...ofPeople,
    request: () => ({ path: { staffId: randomUUID() }, body: {} }),
    fresh: onNew('staffId', anotherPerson, { body: {} }),
    status: 200,
    references: [named('staffId', anotherPerson)],
  },
};
