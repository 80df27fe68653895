/**
 * What the first root can do as a person, to people, and as another person: one whom it has invited and whose link it has
 * used itself, or whose password it has reset and whose link it has used. Where a second factor is asked for, such a person
 * is taken to have added one and given it just now; a factor that somebody else has keeps the first root out.
 */
import { randomUUID } from 'node:crypto';
import { AppError } from '../../../src/errors.ts';
import type { Role } from '../../../src/features/staff/open/roles.ts';
import { errorBody } from '../../../src/http/error-handler.ts';
import type { Operation } from '../../../src/http/operation.ts';
import { staffOf } from '../app/test-people.ts';
import { type Answered, type Body, type Move, remember, type Site } from './moves.ts';

/** `second` and `admin`: their accounts, taken over. */
type Account = 'person' | 'joined' | 'second' | 'admin';

const USES: Record<Account, readonly string[]> = {
  person: [],
  joined: ['inviteStaff'],
  second: ['resetStaffPassword', 'resetFactors'],
  admin: ['resetStaffPassword'],
};

const ORIGIN = { ip: '203.0.113.9', userAgent: 'a test' };
const VISITOR = { ip: '203.0.113.9', agent: 'a test', requestId: 'of-a-test' };

function idOf({ people, made }: Site, account: Account): string | undefined {
  if (account === 'person') return people.first.staffId;
  if (account === 'joined') return made.joined.at(-1);
  return made.taken.find((id) => id === people[account].staffId);
}

/** Undefined of whom the first root cannot sign in as. */
async function callerAs(site: Site, account: Account, operationId: string) {
  const { world, people, copy } = site;
  const staffId = idOf(site, account);
  if (staffId === undefined) return undefined;
  const [row] = await world.app.database.asSuperuser<{ role: Role; isHeld: boolean }>(
    `select role, exists (select from staff_passkey k where k.tenant_id = s.tenant_id and k.staff_id = s.id) as "isHeld"
     from staff s where tenant_id = $1 and id = $2 and state = 'active'`,
    [copy.tenantId, staffId],
  );
  if (!row || (row.isHeld && account !== 'person')) return undefined;
  const now = { hasFactor: true, hasFreshFactor: true, factorAt: new Date() };
  const session = { ...people.first.opened, ...now, tenantId: copy.tenantId, staffId, role: row.role };
  return staffOf(world.app).sessions.callerOf(session, 'LIVE', { operationId, requestId: randomUUID(), ip: ORIGIN.ip });
}

type Params = Record<string, string>;

interface Options {
  what?: string;
  by?: Account;
  params?: (site: Site) => Params | undefined | Promise<Params | undefined>;
  body?: Body;
  uses?: readonly string[];
  /** What the first root does before, which must go well. */
  before?: Move;
  /** What the first root does with the answer. */
  afterwards?: (site: Site, body: Record<string, unknown>) => Promise<void>;
}

const BY: Record<Account, string> = {
  person: 'as a person',
  joined: 'as who has joined',
  second: 'as the second person',
  admin: 'as the admin',
};

function personMove(
  operationId: string,
  { what, by = 'person', params = () => ({}), body, uses = [], before, afterwards }: Options,
): Move {
  return {
    name: [operationId, what, BY[by]].filter(Boolean).join(' '),
    operationId,
    uses: [...USES[by], ...uses],
    async play(site): Promise<Answered | undefined> {
      const { composition } = site.world.app;
      const [caller, named] = [await callerAs(site, by, operationId), await params(site)];
      if (caller === undefined || named === undefined) return undefined;
      const first = await before?.play(site);
      if (first !== undefined && first.status >= 400) return first;
      const operation = composition.app.operations.find((one) => one.operationId === operationId) as Operation;
      const given = typeof body === 'function' ? body(site) : body;
      try {
        const answer = await composition.invoke(operation, { params: named, body: given }, { caller, origin: ORIGIN });
        const shown = (answer.status === 202 ? answer.waiting : answer.body) as Record<string, unknown>;
        remember(site, operationId, shown);
        if (answer.status !== 202) await afterwards?.(site, shown);
        return { status: answer.status, text: JSON.stringify(shown) };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return { status: error.status, text: JSON.stringify(errorBody(error)) };
      }
    },
  };
}

/** The link was handed over, and is used by whoever made it. */
async function useLink(site: Site, { link }: Record<string, unknown>): Promise<void> {
  const token = String(link).split('/').at(-1) ?? '';
  await staffOf(site.world.app).links.accept(token, { name: 'Puppet', password: 'four words for a door' }, VISITOR);
}

const invite = (what: string, person: (site: Site) => { email: string; role: Role }, by: Account = 'person'): Move =>
  personMove('inviteStaff', {
    what: `${what}, who joins,`,
    by,
    body: person,
    async afterwards(site, body) {
      await useLink(site, body);
      site.made.joined.push(String(body['staffId']));
    },
  });

const NAMES = { second: 'second person', admin: 'admin' };

const resetFactors = (whom: 'second' | 'admin'): Move =>
  personMove('resetFactors', {
    what: `of the ${NAMES[whom]}`,
    params: ({ people }) => ({ staffId: people[whom].staffId }),
  });

const reset = (whom: 'second' | 'admin', before?: Move): Move =>
  personMove('resetStaffPassword', {
    what: `of the ${NAMES[whom]}, ${before ? 'behind the reset of factors, ' : ''}and uses the link,`,
    ...(before && { before }),
    params: ({ people }) => ({ staffId: people[whom].staffId }),
    async afterwards(site, body) {
      await useLink(site, body);
      site.made.taken.push(site.people[whom].staffId);
    },
  });

const confirmTie = (which: 'earliest' | 'latest', by: Account): Move =>
  personMove('confirmStaffTie', {
    what: `the ${which}`,
    by,
    uses: ['inviteStaff', 'resetStaffPassword', 'resetFactors', 'updateStaffMember'],
    async params({ world, copy }) {
      const ties = await world.app.database.asSuperuser<{ id: string }>(
        'select id from approval_tie where tenant_id = $1 and confirmed_by is null order by id',
        [copy.tenantId],
      );
      const tie = ties.at(which === 'earliest' ? 0 : -1);
      return tie && { tieId: tie.id };
    },
  });

const ofSecond = ({ people }: Site): Params => ({ staffId: people.second.staffId });
const ofAdmin = ({ people }: Site): Params => ({ staffId: people.admin.staffId });

const change = (what: string, params: Options['params'] & {}, body: object, by: Account = 'person'): Move =>
  personMove('updateStaffMember', { what, params, body, by });

const approve = (run: 'drafted' | 'of the sequence', by: Account): Move =>
  personMove('approvePayoutRun', {
    what: `the run ${run}`,
    by,
    uses: run === 'drafted' ? [] : ['createPayoutRun'],
    params({ world, made }) {
      const runId = run === 'drafted' ? world.drafted.runId : made.runs.at(-1);
      return runId === undefined ? undefined : { runId };
    },
  });

const confirmChange = (by: Account): Move =>
  personMove('confirmPendingChange', {
    by,
    uses: ['updateSettings', 'inviteStaff', 'updateStaffMember'],
    params({ made }) {
      const pendingChangeId = made.pending.at(-1);
      return pendingChangeId === undefined ? undefined : { pendingChangeId };
    },
  });

const joinedOne = ({ made }: Site): Params | undefined => {
  const staffId = made.joined.at(-1);
  return staffId === undefined ? undefined : { staffId };
};

const ALL_ACCOUNTS: readonly Account[] = ['person', 'joined', 'second', 'admin'];

const ALL: readonly Move[] = [
  invite('an admin', () => ({ email: 'admin@puppets.example', role: 'admin' })),
  invite('somebody for finance', () => ({ email: 'finance@puppets.example', role: 'finance' })),
  invite('whom the second person has invited', ({ people }) => ({ email: people.invited.email, role: 'admin' })),
  invite('another admin', () => ({ email: 'other@puppets.example', role: 'admin' }), 'second'),
  personMove('revokeStaffInvite', {
    what: "the second person's",
    params: ({ people }) => ({ inviteId: people.invited.inviteId }),
  }),
  ...(['person', 'second'] as const).flatMap((by) => [confirmTie('latest', by), confirmTie('earliest', by)]),
  ...(['person', 'second'] as const).map((by) => change('gives the admin finance', ofAdmin, { role: 'finance' }, by)),
  ...(['person', 'second'] as const).map((by) => change('makes who has joined an owner', joinedOne, { role: 'owner' }, by)),
  change('enables who is disabled', ({ people }) => ({ staffId: people.disabled.staffId }), { disabled: false }),
  change('disables the second person', ofSecond, { disabled: true }),
  change('names the second person', ofSecond, { name: 'First' }),
  personMove('removeStaffMember', { what: 'the second person', params: ofSecond }),
  reset('second'),
  reset('second', resetFactors('second')),
  reset('admin'),
  personMove('endStaffSessions', { what: 'of the second person', params: ofSecond }),
  personMove('endStaffSession', {
    what: 'of the second person',
    params: ({ people: { second } }) => ({ staffId: second.staffId, sessionId: second.sessionId }),
  }),
  resetFactors('second'),
  resetFactors('admin'),

  ...(['person', 'second'] as const).map((by) =>
    personMove('createApiKey', { by, body: { scopes: ['payouts:approve', 'admin:settings'] } }),
  ),
  ...(['joined', 'admin'] as const).map((by) => personMove('createApiKey', { by, body: { scopes: ['admin:settings'] } })),
  personMove('rollApiKey', {
    what: "of the second root's key",
    params: ({ world }) => ({ keyId: world.second.keyId }),
    body: {},
  }),
  ...(['person', 'second'] as const).flatMap((by) => [approve('drafted', by), approve('of the sequence', by)]),
  ...ALL_ACCOUNTS.map(confirmChange),
  personMove('updateSettings', { what: 'dual control off', body: { payments: { dualControl: false } } }),
  personMove('updateSettings', {
    what: 'people sign in elsewhere',
    body: ({ props }) => ({
      staffProvider: { isOn: true, issuerUrl: props.issuerUrl, clientId: 'ours', clientSecret: 'of-the-attacker' },
    }),
  }),
];

/** Those whose operation there is. */
export const peopleMovesOf = (operations: readonly Operation[]): Move[] =>
  ALL.filter((one) => operations.some(({ operationId }) => operationId === one.operationId));

const BESIDES =
  /^(updateSettings (dual control off|persons)$|confirmPendingChange( by (own|gained))?$|createPayoutRun|approvePayoutRun the run .* by gained|executePayoutRun the run (drafted|of the sequence)|\d+ hours)/;

/** Of the moves by keys those that people's go together with. */
export const besidesPeople = ({ name }: Move): boolean => BESIDES.test(name);

const NO_MATTER = /^(revokeStaffInvite|endStaffSession|removeStaffMember|updateStaffMember (disables|names)|rollApiKey)/;

/** What makes, takes over or frees another pair of hands, and what such a pair does. */
export const mattersOfPeople = ({ name }: Move): boolean => !NO_MATTER.test(name);
