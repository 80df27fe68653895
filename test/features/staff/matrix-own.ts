/** The access matrix of the own account: whoever is signed in names nobody else. */
import { randomBytes, randomUUID } from 'node:crypto';
import { askForPasskey } from '../../../src/features/staff/factors/factors-operations.ts';
import { listOwnSessions } from '../../../src/features/staff/staff-operations.ts';
import { hashOfPassword, PASSWORD, signIn } from '../../support/app/test-people.ts';
import type { MatrixRow } from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';
import { callAsOwner, ownerOf } from '../../support/matrix/person-call.ts';
import { SoftwareAuthenticator } from '../../support/staff/authenticator.ts';
import { originOf } from '../../support/staff/own-factors.ts';
import { isLive, listCursor, named, ofPeople } from './matrix.ts';

async function plantOwnSession({ app }: World, side: Side): Promise<string> {
  return (await signIn(app, await ownerOf(app, side))).sessionId;
}

async function plantOwnPasskey({ app }: World, side: Side): Promise<string> {
  const { staffId } = await ownerOf(app, side);
  const [row] = await app.database.asSuperuser<{ id: string }>(
    `insert into staff_passkey (tenant_id, staff_id, credential_id, public_key, name) values ($1, $2, $3, $3, 'spare') returning id`,
    [side.tenantId, staffId, randomBytes(16)],
  );
  return row?.id ?? '';
}

/** What a browser would send, for a question that was put for it. */
async function answerOfBrowser({ app }: World, side: Side): Promise<unknown> {
  const { staffId } = await ownerOf(app, side);
  // A person may have twenty.
  await app.database.asSuperuser("delete from staff_passkey where staff_id = $1 and name in ('spare', 'of the matrix')", [
    staffId,
  ]);
  const asked = await callAsOwner(app, side, askForPasskey, { body: {} });
  const { publicKey } = asked.json as { publicKey: Parameters<SoftwareAuthenticator['create']>[0] };
  return new SoftwareAuthenticator(originOf(app)).create(publicKey);
}

/** The owner has the password of the tests again, and has guessed nothing wrong. */
async function forgetGuesses({ app }: World, side: Side): Promise<void> {
  const { staffId } = await ownerOf(app, side);
  await app.database.asSuperuser('update staff set password_hash = $2 where id = $1', [staffId, await hashOfPassword()]);
  await app.database.asSuperuser('delete from staff_failure where tenant_id = $1', [side.tenantId]);
}

const none = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {}, clientExtensionResults: {} };
const plain = (status: number, body?: Record<string, unknown>): MatrixRow => ({
  ...ofPeople,
  request: () => (body === undefined ? {} : { body }),
  status,
  references: [],
});

export const ownAccountRows: Record<string, MatrixRow> = {
  getOwnAccount: plain(200),
  updateOwnAccount: plain(200, { name: 'Pat Renamed' }),
  changeOwnPassword: { ...plain(200, { password: PASSWORD, newPassword: PASSWORD }), restore: forgetGuesses },
  listOwnSessions: {
    ...ofPeople,
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [listCursor(listOwnSessions)],
  },
  endOwnSessions: {
    ...plain(200, { which: 'others' }),
    async fresh(side, world) {
      if (isLive(side)) await plantOwnSession(world, side);
      return { body: { which: 'others' } };
    },
  },
  endOwnSession: {
    ...ofPeople,
    request: () => ({ path: { sessionId: randomUUID() } }),
    fresh: async (side, world) => ({ path: { sessionId: isLive(side) ? await plantOwnSession(world, side) : randomUUID() } }),
    status: 200,
    references: [named('sessionId', plantOwnSession)],
  },
  getOwnFactors: plain(200),
  askForPasskey: plain(200, {}),
  addPasskey: {
    ...ofPeople,
    request: () => ({ body: { name: 'of the matrix', response: none } }),
    async fresh(side, world) {
      const response = isLive(side) ? await answerOfBrowser(world, side) : none;
      return { body: { name: 'of the matrix', response } };
    },
    status: 201,
    references: [],
    inert: {
      'body.response.id': 'What the browser made for the question; a question of another session is refused',
      'body.response.rawId': 'The same',
    },
  },
  renamePasskey: {
    ...ofPeople,
    request: () => ({ path: { passkeyId: randomUUID() }, body: { name: 'spare' } }),
    fresh: async (side, world) => ({
      path: { passkeyId: isLive(side) ? await plantOwnPasskey(world, side) : randomUUID() },
      body: { name: 'spare' },
    }),
    status: 200,
    references: [named('passkeyId', plantOwnPasskey)],
  },
  removePasskey: {
    ...ofPeople,
    request: () => ({ path: { passkeyId: randomUUID() } }),
    fresh: async (side, world) => ({ path: { passkeyId: isLive(side) ? await plantOwnPasskey(world, side) : randomUUID() } }),
    status: 200,
    references: [named('passkeyId', plantOwnPasskey)],
  },
  beginAuthenticator: plain(200, {}),
  // One code in a row that is wrong makes the next wait: what is right is tested with the second factors.
  confirmAuthenticator: { ...plain(400, { code: '' }), restore: forgetGuesses },
  // An owner has one at most, and takes it away once: as above.
  removeAuthenticator: plain(404),
  makeRecoveryCodes: plain(201, {}),
};
