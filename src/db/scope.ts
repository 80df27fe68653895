/** Whose rows a statement reaches, and what statements run on. The frame (frame.ts) gives both. */
import type { Statement } from './statement.ts';

export type Environment = 'LIVE' | 'SANDBOX';

/** Whose rows a frame sees. */
export interface Scope {
  readonly tenantId: string;
  readonly environment: Environment;
  /** The member whose own call it is: row security shows its money and referrals alone. docs/specification/tenancy.md#members. */
  readonly member?: { readonly memberId: string };
}

/** Whether a row of this member's may be shown: to a key any, to a member its own. Row security says the same. */
export function isShownTo({ member }: Scope, ownerId: string | null): boolean {
  return member === undefined || member.memberId === ownerId;
}

/** What queries run on. Statements issued in one tick travel together and run in order. */
export interface Db {
  rows<Row>(statement: Statement<Row>): Promise<Row[]>;
  /** The first row, or undefined. */
  row<Row>(statement: Statement<Row>): Promise<Row | undefined>;
}

/** What an operation that reads answers the tenant, asked within the transaction. */
export type Render = (
  operationId: string,
  input: { params?: Readonly<Record<string, unknown>>; query?: Readonly<Record<string, unknown>> },
) => Promise<Readonly<Record<string, unknown>>>;

/** Something that has happened, for tenants who want to hear of it. Source: docs/specification/webhooks.md#events. */
export interface Told {
  /** As a feature declares it: `member.created`. */
  type: string;
  objectId: string;
  /** The parameters of the operation that reads the object, where they are others than its id alone. */
  params?: Readonly<Record<string, string>>;
  /** Who did it, as an `actorRef`. */
  actor: string;
  /** The object, or what makes it: needed by a type with a schema of its own. Otherwise it is read as the API shows it. */
  data?: object | ((render: Render) => Promise<object>);
  /** What tells it in place of this frame, where it may be long: enqueued with it where somebody hears of the type. Twice is once. */
  job?: { name: string; ids: Readonly<Record<string, string>> };
  /** True where it is known already that somebody hears of the type: nobody is asked then. */
  heard?: true;
}

/** What a writing frame's queries run on. */
export interface WriteDb extends Db {
  /** Tells the tenant, at the end of the frame and in its transaction, where somebody hears of the type. Of an object that is read then, twice is once. */
  tell(told: Told): void;
  /**
   * Says ahead that something may be told: the question who hears of it then travels with the statements that are sent
   * with this call, and nobody waits for its answer.
   */
  listen(): void;
  /** What was told so far. A part that is undone takes its own back. */
  readonly told: Told[];
  /**
   * The last statement of the frame: the commit travels right behind it, unless a guard has still
   * to run. After it the frame takes no other statement. When the statement wrote nothing, nothing
   * was committed, and the caller may still throw.
   */
  lastRow<Row>(statement: Statement<Row>): Promise<Row | undefined>;
}
