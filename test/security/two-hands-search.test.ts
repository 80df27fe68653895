/**
 * No single root moves money out of a tenant with dual control on: tried by a search over the operations of administration
 * and payouts. The root is an owner, with all keys that it has and makes, and with all people whom it invites, or whose
 * password and second factors it resets. Each sequence is played in a tenant of its own: by keys over HTTP, by people as
 * pages call.
 *
 * Covered of keys: every sequence of one and of two moves; every sequence of three that is made of the moves that `matters`
 * names and hangs together; of four such moves a sample, `AT_MOST` at most of more than 17,000, drawn by a seed that is
 * printed. The same of people, together with the moves of keys that `besidesPeople` names. `TWO_HANDS_SEARCH=whole` plays
 * them all, `TWO_HANDS_SEED` draws others.
 *
 * Left out, and why: what goes on behind a move that was refused, or that changed nothing that has a bearing
 * (`WITHOUT_BEARING` says why of each table), is the sequence without that move. Where two sequences have come to the same,
 * one goes on. Of moves that commute the parts are shorter sequences; that they commute is seen behind one move, and taken
 * to be so behind two. That the moves which `matters` does not name bring nobody nearer to money is seen in sequences of
 * two alone. A tie does not end here by time: seven days are what a second pair of hands waits, by rule.
 *
 * A settlement is let pass, by one root: it enters what was paid outside the service, and no vendor is asked for it.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { testIssuer } from '../support/identity/test-issuer.ts';
import { createPayoutVendorDouble, type PayoutVendorDouble } from '../support/payments/payout-vendor-double.ts';
import { runJobs } from '../support/payments/payout-world.ts';
import { isSearched, type Move, matters, movesOf, TIME_PASSES } from '../support/two-hands/moves.ts';
import { besidesPeople, mattersOfPeople, peopleMovesOf } from '../support/two-hands/people-moves.ts';
import { type Ground, prepareGround, type SearchResult, search } from '../support/two-hands/search.ts';

const WHOLE = process.env['TWO_HANDS_SEARCH'] === 'whole';
const SEED = Number(process.env['TWO_HANDS_SEED'] ?? 20261201);
/** By length. */
const AT_MOST = { 4: 400 };
const LONG = 3_600_000;

let app: TestApp;
let vendor: PayoutVendorDouble;
let ground: Ground;
let moves: Move[];
let peopleMoves: Move[];

beforeAll(async () => {
  app = await startTestApp({ OUTGOING_ALLOWED_HOSTS: (await testIssuer()).server.host }, 'own');
  vendor = createPayoutVendorDouble();
  ground = await prepareGround(app, vendor);
  moves = [...movesOf(app.composition.app.operations), TIME_PASSES];
  peopleMoves = [...peopleMovesOf(app.composition.app.operations), ...moves.filter(besidesPeople)];
});
afterAll(() => app.close());

test('every operation of administration and payouts that writes is among the moves', () => {
  const played = new Set([...moves, ...peopleMoves].map(({ operationId }) => operationId));
  const searched = app.composition.app.operations.filter(isSearched).map(({ operationId }) => operationId);
  expect(searched.filter((operationId) => !played.has(operationId))).toEqual([]);
  expect(searched.length).toBeGreaterThan(40);
});

async function searched(tried: readonly Move[], chosen: (move: Move) => boolean): Promise<SearchResult> {
  const started = Date.now();
  const result = await search(ground, tried, {
    depth: 4,
    whole: 2,
    matters: chosen,
    ...(WHOLE ? {} : { drawn: { atMost: AT_MOST, seed: SEED } }),
    tell: console.info,
  });
  const counts = result.depths
    .map(({ open, played, states }, index) => `${index + 1}: ${open} open, ${played} played, ${states} new`)
    .join('; ');
  console.info(
    `seed ${WHOLE ? 'none' : SEED}; ${tried.length} moves, ${result.interfering} pairs that interfere; sequences of ${counts}; ${Math.round((Date.now() - started) / 1000)} s`,
  );
  return result;
}

/** Four moves deep, and each move was played, by a request that is one. */
function expectWhole({ depths, answers }: SearchResult, tried: readonly Move[]): void {
  expect.soft(depths).toHaveLength(4);
  for (const { states } of depths) expect(states).toBeGreaterThan(0);
  expect.soft(tried.filter(({ name }) => !answers.has(name)).map(({ name }) => name)).toEqual([]);
  expect([...answers].filter(([, statuses]) => [...statuses].every((status) => [400, 404, 405, 415].includes(status)))).toEqual(
    [],
  );
}

/** The worker sends what two roots had approved, and to nobody else. */
async function expectApprovedAlone(): Promise<void> {
  await runJobs(app, vendor);
  const { approved, failed } = ground.world;
  const mayGo = new Set([approved.payoutId, failed.payoutId]);
  const sent = [...vendor.transfers.values()].map(({ metadata }) => metadata['payout_id'] ?? '');
  expect(sent.filter((payoutId) => !mayGo.has(payoutId))).toEqual([]);
  const banks = [...vendor.payouts.values()].map((payout) => String((payout as { bankAccountId?: string }).bankAccountId));
  expect(banks.filter((bank) => ![`ba_${approved.accountId}`, `ba_${failed.accountId}`].includes(bank))).toEqual([]);
}

test(
  'no sequence of at most four moves by keys of one root sends money, or loosens what binds it',
  async () => {
    const result = await searched(moves, matters);
    expect.soft(result.found).toEqual([]);
    expectWhole(result, moves);
    await expectApprovedAlone();
  },
  LONG,
);

test(
  'nor one by a person, by those whom it has invited, and as those whose password it has chosen',
  async () => {
    const result = await searched(peopleMoves, mattersOfPeople);
    expect.soft(result.found).toEqual([]);
    expectWhole(result, peopleMoves);
    await expectApprovedAlone();
  },
  LONG,
);

/** Those of the way of money alone, so that what is found is that way. */
const onTheWay = (): Move[] =>
  moves.filter(({ name }) => /in CAD|PayoutRun the run of the sequence|PayoutRun the run drafted/.test(name));

test(
  'the search finds the way where dual control is off',
  async () => {
    const altered = 'update payment_settings set dual_control = false where tenant_id = $1';
    const { found } = await search({ ...ground, altered }, onTheWay(), { depth: 3, whole: 3, moneyAlone: true });
    expect(found.map(({ sequence }) => sequence)).toContainEqual([
      'createPayoutRun in CAD',
      'approvePayoutRun the run of the sequence',
      'executePayoutRun the run of the sequence',
    ]);
    expect(found.every(({ what }) => what.startsWith('money: '))).toBe(true);
  },
  LONG,
);

test(
  'the search finds the way where a key that was made counts as a root of its own',
  async () => {
    const altered = `update api_key set root = 'api_key:' || id where tenant_id = $1 and id = '${ground.world.firstsOwn.keyId}'`;
    const { found } = await search({ ...ground, altered }, onTheWay(), { depth: 2, whole: 2, moneyAlone: true });
    expect(found.map(({ sequence }) => sequence)).toEqual([
      ['approvePayoutRun the run drafted by own', 'executePayoutRun the run drafted'],
    ]);
  },
  LONG,
);

test(
  'and where a setting is loosened, before money has gone',
  async () => {
    const altered = "update payment_settings set dual_control = false where tenant_id = $1 and provider = 'payvendor'";
    const loosening = moves.filter(({ name }) => /^updateSettings (dual control off|no cool-down|another secret)/.test(name));
    const { found } = await search({ ...ground, altered }, loosening, { depth: 1, whole: 1 });
    expect(found.length).toBeGreaterThanOrEqual(2);
    expect(found.every(({ what }) => what.startsWith('the settings: '))).toBe(true);
  },
  LONG,
);

test(
  'the search finds the ways by people where a person counts as nobody else',
  async () => {
    await app.database.asSuperuser(
      `create function no_tie() returns trigger language plpgsql as $$ begin
         new.confirmed_by := 'api_key:' || gen_random_uuid(); new.confirmed_at := now(); return new;
       end $$`,
    );
    await app.database.asSuperuser('create trigger no_tie before insert on approval_tie for each row execute function no_tie()');
    try {
      const ways = peopleMoves.filter(({ name }) =>
        /^(inviteStaff an admin|resetStaffPassword|createApiKey as the second|updateSettings dual control off$|confirmPendingChange as|approvePayoutRun the run drafted)/.test(
          name,
        ),
      );
      const { found } = await search(ground, ways, { depth: 3, whole: 3 });
      const sequences = found.map(({ sequence }) => sequence.toSorted().join('; '));
      for (const way of [
        [
          'inviteStaff an admin, who joins, as a person',
          'updateSettings dual control off',
          'confirmPendingChange as who has joined',
        ],
        [
          'resetStaffPassword of the admin, and uses the link, as a person',
          'updateSettings dual control off',
          'confirmPendingChange as the admin',
        ],
        [TAKEN, 'approvePayoutRun the run drafted as the second person'],
        [TAKEN, 'createApiKey as the second person', 'approvePayoutRun the run drafted by gained'],
      ]) {
        expect.soft(sequences).toContain(way.toSorted().join('; '));
      }
    } finally {
      await app.database.asSuperuser('drop function no_tie() cascade');
    }
  },
  LONG,
);

const TAKEN = 'resetStaffPassword of the second person, behind the reset of factors, and uses the link, as a person';

test(
  'and where one root makes somebody an approver, or says who answers for people',
  async () => {
    const altered = 'update payment_settings set dual_control = false where tenant_id = $1';
    const { found } = await search({ ...ground, altered }, peopleMoves.filter(isOfPeople), { depth: 1, whole: 1 });
    const changed = found.filter(({ what }) => what.startsWith('people: ') || what.endsWith('elsewhere'));
    expect(changed.map(({ sequence: [name] }) => name)).toEqual([
      'inviteStaff somebody for finance, who joins, as a person',
      'updateStaffMember gives the admin finance as a person',
      'updateStaffMember enables who is disabled as a person',
      'updateSettings people sign in elsewhere as a person',
    ]);
  },
  LONG,
);

const isOfPeople = ({ name }: Move): boolean => /^(inviteStaff|updateStaffMember|updateSettings people)/.test(name);
