/** The people of a world of two pairs of hands: the first root is one of them, whose keys are the first root's. */
import { randomUUID } from 'node:crypto';
import type { Scope } from '../../../src/db/scope.ts';
import type { StaffSession } from '../../../src/features/staff/open/staff-session.ts';
import { createApiKeyOperation } from '../../../src/features/tenants/api-keys-operations.ts';
import { apiClient } from '../app/api-client.ts';
import type { TestApp } from '../app/test-app.ts';
import { invokeAs, plantPerson, plantSignedIn, type SignedIn, signIn } from '../app/test-people.ts';
import type { Hands } from './hands-world.ts';

export interface HandsPeople {
  /** An owner, who does the mischief. */
  first: SignedIn & { opened: StaffSession };
  /** Another owner, with a second factor and a session. */
  second: SignedIn;
  /** Has no second factor yet, so that a password is all it takes. */
  admin: { staffId: string };
  /** Of finance, with a second factor, and disabled. */
  disabled: { staffId: string };
  /** Invited as an admin by the second person; the link is unknown to the first. */
  invited: { staffId: string; email: string; inviteId: string };
}

export async function plantHandsPeople(app: TestApp, { tenantId }: Scope): Promise<HandsPeople> {
  const first = await plantSignedIn(app, tenantId, { name: 'First' });
  const second = await signIn(app, await plantPerson(app, tenantId, { name: 'Second' }));
  const admin = await plantPerson(app, tenantId, { name: 'Admin', role: 'admin', factor: false });
  const disabled = await plantPerson(app, tenantId, { name: 'Disabled', role: 'finance' });
  await app.database.asSuperuser("update staff set state = 'disabled' where tenant_id = $1 and id = $2", [
    tenantId,
    disabled.staffId,
  ]);
  const email = `i-${randomUUID()}@example.com`;
  const [invited] = await app.database.asSuperuser<{ staffId: string; inviteId: string }>(
    `with one as (
       insert into staff (tenant_id, email, email_typed, role, state, created_by)
       values ($1, $2, $2, 'admin', 'invited', $3) returning id)
     insert into staff_invite (tenant_id, kind, token_hash, staff_id, role, created_by, expires_at)
     select $1, 'invite', sha256(gen_random_uuid()::text::bytea), id, 'admin', $3, now() + interval '72 hours' from one
     returning staff_id as "staffId", id as "inviteId"`,
    [tenantId, email, `staff:${second.staffId}`],
  );
  if (!invited) throw new Error('nobody was invited');
  return { first: { ...first, opened: await first.session() }, second, admin, disabled, invited: { ...invited, email } };
}

/** A key with all scopes that the person has made. What scopes there are, the route knows. */
export async function keyOfPerson(app: TestApp, person: SignedIn): Promise<Hands> {
  const { body } = await invokeAs(app, person, createApiKeyOperation([]), { body: { scopes: ['*'] } });
  if (!body?.apiKey) throw new Error('no key was made');
  return { keyId: body.id, key: body.apiKey, client: apiClient(app, body.apiKey) };
}
