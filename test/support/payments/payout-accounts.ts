/** What tests of payouts share: members whose profile is complete, and bank accounts that pass every check. */
import { randomInt } from 'node:crypto';
import type { Response } from 'supertest';
import type { ApiClient, MemberBody } from '../app/api-client.ts';

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
