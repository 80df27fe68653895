/** A person who is signed in. Source: docs/specification/people.md#sessions. */
import type { Environment } from '../../../db/scope.ts';
import type { Caller } from '../../../http/operation.ts';
import type { Role } from './roles.ts';

export interface StaffSession {
  id: string;
  tenantId: string;
  /** Of the tenant, as addresses have it. */
  slug: string;
  tenantName: string;
  staffId: string;
  name: string;
  email: string;
  role: Role;
  /** When a second factor was last given in this session. */
  factorAt: Date | null;
  /** Whether that was within the time that a step-up holds. */
  hasFreshFactor: boolean;
  /** Whether the person has a second factor at all. */
  hasFactor: boolean;
}

/** Where a call of a person came from. */
export interface StaffRequest {
  operationId: string;
  requestId: string | null;
  ip: string | null;
}

/** The sessions of people, as pages need them. */
export interface StaffSessions {
  /**
   * The session of a cookie's value, while it is alive; undefined otherwise. One that was ended is not found any more
   * within a second, on every instance.
   */
  resolve(cookie: string): Promise<StaffSession | undefined>;
  /** The person as a caller of operations: the rights of the role in that environment. */
  callerOf(session: StaffSession, environment: Environment, request: StaffRequest): Caller;
}
