/** What a snapshot is made of: each kind by the operation that shows its objects, in events, too. */
import type { Db, Scope } from '../../../db/scope.ts';
import { AppError } from '../../../errors.ts';
import type { HouseParts } from '../../../house/feature.ts';
import type { Rendered } from '../../../http/render-operation.ts';
import type { KeyedRoute } from '../../../http/route.ts';
import type { SnapshotKind } from './event-snapshot.ts';
import {
  type IdsAfter,
  idsOfAccounts,
  idsOfKyc,
  idsOfMembers,
  idsOfPayouts,
  idsOfRuns,
  type ShownId,
} from './shown-ids-queries.ts';

type Answer = Readonly<Record<string, unknown>>;

export interface ShownObject {
  objectId: string;
  data: unknown;
}

/** Answers in the transaction of the snapshot. */
export type RenderRoute = (route: KeyedRoute, input: Rendered) => Promise<Answer>;

export interface KindOfSnapshot {
  /** What shows its objects. */
  route(): KeyedRoute;
  pages(db: Db, scope: Scope, render: RenderRoute): AsyncIterable<readonly ShownObject[]>;
}

export type KindsOfSnapshot = Readonly<Record<SnapshotKind, KindOfSnapshot>>;

const PAGE = 500;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** Routes are found once all features are open. */
export function openSnapshotKinds({ routeOf }: Pick<HouseParts, 'routeOf'>): KindsOfSnapshot {
  const ofMember = ({ memberId }: ShownId) => ({ userId: memberId });
  return {
    members: listed(() => routeOf('listUsers'), 'id'),
    leads: listed(() => routeOf('listLeads'), 'id'),
    events: listed(() => routeOf('listEvents'), 'event_id'),
    commissions: listed(() => routeOf('listCommissions'), 'id'),
    payoutAccounts: read(
      () => routeOf('getPayoutAccount'),
      idsOfAccounts,
      (one) => ({ ...ofMember(one), accountId: one.id }),
    ),
    kyc: read(() => routeOf('getKyc'), idsOfKyc, ofMember),
    payoutRuns: read(
      () => routeOf('getPayoutRun'),
      idsOfRuns,
      ({ id }) => ({ runId: id }),
    ),
    payouts: read(
      () => routeOf('getPayout'),
      idsOfPayouts,
      ({ id }) => ({ payoutId: id }),
    ),
    balances: read(() => routeOf('getMemberBalances'), idsOfMembers, ofMember),
  };
}

/** The items of a list are what the operation of one object answers. */
function listed(route: () => KeyedRoute, idField: string): KindOfSnapshot {
  return {
    route,
    async *pages(_db, _scope, render) {
      for (let cursor: unknown; cursor !== null; ) {
        const { data, ...page } = await render(route(), { query: { limit: PAGE, ...(cursor !== undefined && { cursor }) } });
        yield (data as Answer[]).map((item) => ({ objectId: String(item[idField]), data: item }));
        cursor = page['nextCursor'] ?? page['next_cursor'] ?? null;
      }
    },
  };
}

/** Object by object: the operation of one shows more than its list does, or there is no list of all. */
function read(route: () => KeyedRoute, idsAfter: IdsAfter, paramsOf: (one: ShownId) => Record<string, string>): KindOfSnapshot {
  return {
    route,
    async *pages(db, scope, render) {
      for (let after: string | undefined = LOWEST_ID; after !== undefined; ) {
        const ids: ShownId[] = await idsAfter(db, scope, after, PAGE);
        const objects: ShownObject[] = [];
        for (const one of ids) {
          const data = await shownOrGone(render(route(), { params: paramsOf(one) }));
          if (data) objects.push({ objectId: one.id, data });
        }
        yield objects;
        after = ids.length === PAGE ? ids.at(-1)?.id : undefined;
      }
    },
  };
}

/** What the API shows to nobody, as of a member that was erased, is not in the state either. */
async function shownOrGone(shown: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await shown;
  } catch (error) {
    if (error instanceof AppError && (error.code === 'NOT_FOUND' || error.code === 'USER_NOT_FOUND')) return undefined;
    throw error;
  }
}
