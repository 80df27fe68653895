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

/** What a writing frame's queries run on. */
export interface WriteDb extends Db {
  /**
   * The last statement of the frame: the commit travels right behind it, unless a guard has still
   * to run. After it the frame takes no other statement. When the statement wrote nothing, nothing
   * was committed, and the caller may still throw.
   */
  lastRow<Row>(statement: Statement<Row>): Promise<Row | undefined>;
}
