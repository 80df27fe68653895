/** What a row of the access matrix says, and the parts that rows share. */
import { randomBytes, randomUUID } from 'node:crypto';
import { call } from '../app/http-call.ts';
import type { TestApp } from '../app/test-app.ts';
import type { Side, World } from './matrix-world.ts';

export interface MatrixRequest {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  /** The body where it is a file. */
  csv?: string;
}

export interface Expected {
  status: number;
  /** Error code of a refusal. */
  code?: string;
  /** What else must hold of the body. */
  check?: (body: Record<string, unknown>, side: Side) => boolean;
  /** What must hold of the row's `readBack`. */
  shows?: (body: Record<string, unknown>) => boolean;
}

/** A place in the request that names an object. */
export interface Reference {
  /** `path.user_id`, `query.cursor`, `body.attribution.user_id`. */
  at: string;
  /** The request it is put into, when the row's own would hide it. */
  within?: (side: Side) => MatrixRequest;
  /** What a side's own object is called there; may make one. */
  object(world: World, side: Side): string | Promise<string>;
  absent(): string;
  malformed: string;
  own: Expected;
  /** The answer to another tenant's, the other environment's, and an absent object: one and the same. */
  foreign: Expected;
  /**
   * What a member's bearer token gets for any of them, where the path does not say whose it is. As a plain answer: the
   * objects are nobody's it reaches.
   */
  member?: Expected | ((who: { side: Side; memberId: string; own: boolean }) => Expected);
}

/** What `owner` gets for the side's own object, and every member for all others. */
export const ofOwner =
  (owner: (side: Side) => string, own: Expected, others: Expected): NonNullable<Reference['member']> =>
  (who) =>
    who.own && who.memberId === owner(who.side) ? own : others;

/** What a feature's matrix.ts may export as `plantOnSide`: it plants what its rows need, and adds to the side's canaries. */
export type PlantOnSide = (app: TestApp, side: Side) => Promise<void>;

export interface MatrixRow {
  request(side: Side): MatrixRequest;
  /** Where the request can succeed only once on an object: makes one to act on. */
  fresh?: (side: Side, world: World) => Promise<MatrixRequest>;
  status: number;
  /** What a member's bearer token, where it reaches, gets in place of `status`. */
  memberStatus?: number | ((side: Side, memberId: string) => number);
  /** What `request` answers after its first success, when that differs. */
  repeatedStatus?: number;
  references: Reference[];
  /** Fields that look like names of objects and are not looked up, each with why. */
  inert?: Record<string, string>;
  /** A read that shows what a write has made. */
  readBack?: (body: Record<string, unknown>) => string;
  /** Takes bodies beyond the usual limit. */
  largeBody?: true;
  /** Called without a key: every principal gets the same answer, and a success is tested elsewhere. */
  open?: true;
  /** Of people: an owner calls it in the process, and every key is refused. */
  people?: true;
  /** The body is taken as it was sent, not compressed. */
  rawBody?: true;
  /** LIVE is refused with ENVIRONMENT_MISMATCH. */
  sandboxOnly?: true;
  /** SANDBOX is. */
  liveOnly?: true;
  /** Needs what nobody hits on by chance: a fuzzer need not succeed. */
  neverByChance?: true;
  /** The operations whose requests this one shows again, with whatever they named: to who sent it that tells nothing. */
  showsRequestsOf?: readonly string[];
  /** Stands behind all others: tests that send any number of requests take away what the others act on. */
  last?: true;
  /** Acts on all that a side has, so it is tried in a world of its own, where no other row needs anything. */
  ownWorld?: true;
  /** Puts back what a request may have moved beyond use for the next; tests that send any number call it before each. */
  restore?: (world: World, side: Side) => Promise<void>;
}

export const invalid: Expected = { status: 400, code: 'VALIDATION_ERROR' };
export const uuidReference = { absent: () => randomUUID(), malformed: 'not-a-uuid' };
export const tooLong = (length: number) => 'x'.repeat(length + 1);
export const freshEmail = () => `${randomUUID()}@fresh.example`;

export const referralCode = {
  object: (_world: World, side: Side) => side.root.referralCode,
  absent: () => randomBytes(5).toString('hex').toUpperCase(),
  malformed: tooLong(64),
};

export const emptyList = (body: Record<string, unknown>) => Array.isArray(body['data']) && body['data'].length === 0;

export const customerOf = (event: Record<string, unknown>) => event['customer'] as Record<string, unknown>;

export async function post(world: World, side: Side, target: string, body: object): Promise<void> {
  const answer = await call(world.app.baseUrl, { method: 'POST', target, headers: { 'x-tenant-api-key': side.key }, body });
  if (answer.status !== 201) throw new Error(`not planted: ${answer.status} ${answer.text}`);
}

export const purchaseOf = (side: Side, externalEventId: string) => ({
  external_event_id: externalEventId,
  amount_minor: 5_000,
  currency: 'USD',
  customer: { external_id: side.purchase.customerExternalId },
  attribution: { user_id: side.root.id },
});

/** A cursor of a list, which the path names with its filters; it must have more than one row. */
export async function cursorOf(world: World, side: Side, target: string): Promise<string> {
  const answer = await call(world.app.baseUrl, { method: 'GET', target, headers: { 'x-tenant-api-key': side.key } });
  const { nextCursor } = answer.json as { nextCursor?: string | null };
  if (typeof nextCursor !== 'string') throw new Error(`no cursor at ${target}: ${answer.status} ${answer.text}`);
  return nextCursor;
}

export const cursorReference = {
  absent: () => randomBytes(52).toString('base64url'),
  malformed: tooLong(1000),
  own: { status: 200 },
  foreign: invalid,
};
