/** People of a tenant, signed in or not, for tests. */

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Environment } from '../../../src/db/scope.ts';
import { AppError } from '../../../src/errors.ts';
import type { Role } from '../../../src/features/staff/open/roles.ts';
import type { StaffSession } from '../../../src/features/staff/open/staff-session.ts';
import { createPasswords } from '../../../src/features/staff/passwords.ts';
import type { StaffOffers } from '../../../src/features/staff/staff-feature.ts';
import { staff as staffHandle } from '../../../src/features.ts';
import { errorBody } from '../../../src/http/error-handler.ts';
import type { Invoked, Said } from '../../../src/http/invoke.ts';
import type { Caller, Operation } from '../../../src/http/operation.ts';
import { noteInvoked } from '../../setup/harvest-exchanges.ts';
import type { TestApp } from './test-app.ts';

export const PASSWORD = 'a lantern in the harbour 7';

/** The form of what is stored, at a cost that tests can afford. */
const cheap = createPasswords({ memory: 64, passes: 1, lanes: 1 });

/** Of `PASSWORD`, as it is stored. */
export const hashOfPassword = (): Promise<string> => cheap.hash(PASSWORD);

export function staffOf({ composition }: TestApp): StaffOffers {
  return composition.offer(staffHandle);
}

export interface PlantedPerson {
  staffId: string;
  tenantId: string;
  email: string;
  role: Role;
}

/** An active person with `PASSWORD`. `factor`: with a passkey, which nothing answers for. */
export async function plantPerson(
  app: TestApp,
  tenantId: string,
  {
    role = 'owner',
    email = `p-${randomUUID()}@example.com`,
    name = 'Pat Planted',
    factor = true,
    hash,
  }: {
    role?: Role;
    email?: string;
    name?: string;
    factor?: boolean;
    hash?: string;
  } = {},
): Promise<PlantedPerson> {
  const stored = hash ?? (await hashOfPassword());
  const [row] = await app.database.asSuperuser<{ id: string }>(
    `insert into staff (tenant_id, email, email_typed, name, role, state, password_hash, created_by, joined_at)
     values ($1, lower($2), $2, $3, $4, 'active', $5, 'operator', now()) returning id`,
    [tenantId, email, name, role, stored],
  );
  const staffId = row?.id ?? '';
  if (factor) await plantFactor(app, { tenantId, staffId });
  return { staffId, tenantId, email, role };
}

export async function plantFactor(
  app: TestApp,
  { tenantId, staffId }: Pick<PlantedPerson, 'tenantId' | 'staffId'>,
): Promise<void> {
  await app.database.asSuperuser(
    `insert into staff_passkey (tenant_id, staff_id, credential_id, public_key, name) values ($1, $2, $3, $3, 'planted')`,
    [tenantId, staffId, randomBytes(16)],
  );
}

export interface SignedIn extends PlantedPerson {
  cookie: string;
  sessionId: string;
  session(): Promise<StaffSession>;
}

/** A session of the person. `fresh`: a second factor was given just now. */
export async function signIn(app: TestApp, person: PlantedPerson, { fresh = true } = {}): Promise<SignedIn> {
  const cookie = randomBytes(32).toString('base64url');
  const [row] = await app.database.asSuperuser<{ id: string }>(
    `insert into staff_session (tenant_id, staff_id, token_hash, factor_at, agent)
     values ($1, $2, $3, case when $4 then now() end, 'a test') returning id`,
    [person.tenantId, person.staffId, createHash('sha256').update(cookie).digest(), fresh],
  );
  return {
    ...person,
    cookie,
    sessionId: row?.id ?? '',
    async session() {
      const session = await staffOf(app).sessions.resolve(cookie);
      if (!session) throw new Error('the session is not open');
      return session;
    },
  };
}

export const plantSignedIn = async (
  app: TestApp,
  tenantId: string,
  options: Parameters<typeof plantPerson>[2] & { fresh?: boolean } = {},
): Promise<SignedIn> => signIn(app, await plantPerson(app, tenantId, options), { fresh: options.fresh ?? true });

export async function callerOf(app: TestApp, person: SignedIn, environment: Environment = 'LIVE'): Promise<Caller> {
  const request = { operationId: 'test', requestId: 'of-a-test', ip: '203.0.113.9' };
  return staffOf(app).sessions.callerOf(await person.session(), environment, request);
}

/** Calls an operation as the person, the way pages do. */
export async function invokeAs<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  app: TestApp,
  person: SignedIn,
  operation: Operation<P, Q, B, R>,
  said: Said = {},
  { environment = 'LIVE', idempotencyKey }: { environment?: Environment; idempotencyKey?: string } = {},
): Promise<Invoked<R>> {
  const caller = await callerOf(app, person, environment);
  const origin = { ip: '203.0.113.9', userAgent: 'a test' };
  try {
    const invoked = await app.composition.invoke(operation, said, { caller, origin, idempotencyKey });
    noteInvoked(operation, said, { status: invoked.status, answer: invoked.status === 202 ? invoked.waiting : invoked.body });
    return invoked;
  } catch (error) {
    if (error instanceof AppError) noteInvoked(operation, said, { status: error.status, answer: errorBody(error) });
    throw error;
  }
}

/** What a call is refused with. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
  return 'nothing';
}
