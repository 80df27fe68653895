/** What tests of payouts share: members whose profile is complete, and bank accounts that pass every check. */
import { randomInt } from 'node:crypto';
import type { Response } from 'supertest';
import type { ApiClient, MemberBody } from '../app/api-client.ts';
import type { TestApp } from '../app/test-app.ts';

/** All that the payment vendor asks for. */
export const COMPLETE_PROFILE = {
  givenName: 'Ada',
  surname: 'Example',
  dateOfBirth: '1990-12-31',
  countryCode: 'DEU',
  address: { countryCode: 'DEU', addressLine1: 'Lindenstr. 1', city: 'Berlin', postalCode: '10969' },
};

export async function newPayee(client: ApiClient, profile: object = {}): Promise<MemberBody> {
  const member = await client.newMember();
  const answer = await client.patch(`/api/v1/members/${member.id}/profile`, { ...COMPLETE_PROFILE, ...profile });
  if (answer.status !== 200) throw new Error(`profile not stored: ${answer.status} ${answer.text}`);
  return member;
}

/** A German IBAN that nobody has drawn before, with the check digits that it must have. */
export function newIban(): string {
  const bban = `37040044${String(randomInt(1e9, 1e10))}`;
  const check = 98n - (BigInt(`${bban}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${bban}`;
}

/** The member is verified, and the account held under another name. */
export async function plantOtherName({ database }: Pick<TestApp, 'database'>, accountId: string): Promise<void> {
  await database.asSuperuser(
    `insert into kyc_record (tenant_id, environment, member_id, provider, status, status_since, verified_at, created_at, updated_at)
     select tenant_id, environment, member_id, 'manual', 'approved', now(), now(), now(), now() from payout_account where id = $1
     on conflict do nothing`,
    [accountId],
  );
  await database.asSuperuser(
    `update member m set kyc_approved_at = k.verified_at from kyc_record k
     where m.id = k.member_id and k.status = 'approved' and m.id = (select member_id from payout_account where id = $1)`,
    [accountId],
  );
  await database.asSuperuser("update payout_account set name_match = 'mismatch', name_judged_for = null where id = $1", [
    accountId,
  ]);
}

export const accountsPath = (memberId: string, id?: string): string =>
  `/api/v1/members/${memberId}/payout-accounts${id === undefined ? '' : `/${id}`}`;

export const sepaAccount = (iban = newIban(), fields: object = {}) => ({
  methodType: 'sepa_bank_transfer',
  currency: 'EUR',
  bankAccount: { accountHolderName: 'Ada Example', iban },
  ...fields,
});

export interface AccountBody {
  id: string;
  isPrimary: boolean;
  isActive: boolean;
  status: string;
  displayName: string;
  usableFrom: string | null;
  createdAt: string;
  sharedWithOthers: boolean | null;
}

export async function newAccount(client: ApiClient, memberId: string, body: object = sepaAccount()): Promise<AccountBody> {
  const answer: Response = await client.post(accountsPath(memberId), body);
  if (answer.status !== 201) throw new Error(`account not created: ${answer.status} ${answer.text}`);
  return answer.body as AccountBody;
}
