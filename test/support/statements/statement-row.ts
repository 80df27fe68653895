/** What a feature says of the SQL statements that its operations send: the rows of statement-count.test.ts. */
import type { ApiClient, MemberBody } from '../app/api-client.ts';
import type { TestApp } from '../app/test-app.ts';

/** What every feature's rows can call: one tenant's LIVE. What a row changes so that another would see it, it plants itself. */
export interface Counted {
  app: TestApp;
  client: ApiClient;
  tenantId: string;
  scope: { tenantId: string; environment: 'LIVE' };
  liveKey: string;
  /** Five members under each other, the lowest first, who has many recruits. */
  chain: MemberBody[];
  /** Forty more below them, the lowest first. */
  deep: MemberBody[];
  /** What was sent until now is not part of what is counted. */
  forget(): void;
}

export type StatementRow<World = Counted> = [
  /** Begins with the operation's id. */
  name: string,
  call: (world: World) => Promise<{ status: number }>,
  status: number,
  expected: string[],
];

/** Rows with what they need beyond the common world; it is planted before the first of them that runs. */
export function countStatements<Own extends object>(
  plant: (world: Counted) => Promise<Own>,
  rows: StatementRow<Counted & Own>[],
): StatementRow[] {
  const planted = new WeakMap<Counted, Promise<Own>>();
  return rows.map(([name, call, status, expected]) => [
    name,
    async (world) => {
      const own = planted.get(world) ?? plant(world);
      planted.set(world, own);
      const whole = { ...world, ...(await own) };
      world.forget();
      return call(whole);
    },
    status,
    expected,
  ]);
}

export const write = (...inner: string[]) => ['begin', ...inner, 'commit'];
export const read = (...inner: string[]) => ['begin', ...inner, 'rollback'];
/** A transaction by itself, in one group of messages. */
export const alone = (only: string) => [only];
/** An event that somebody hears, as a SANDBOX does from the start: its object is read behind a savepoint. */
export const told = (...shown: string[]) => ['savepoint_begin', ...shown, 'savepoint_release', 'webhooks_insert_events'];
export const claim = ['idempotency_wait', 'idempotency_claim', 'idempotency_reset_wait'];

export const email = () => ({ email: `${crypto.randomUUID()}@shop.example` });
export const key = () => ({ 'idempotency-key': crypto.randomUUID() });
