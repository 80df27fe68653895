/** A payout account at the payment vendor as a member's request would have left it: stored, and not yet provisioned. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Scope } from '../../../src/db/scope.ts';
import { createCipher } from '../../../src/encryption.ts';
import type { ApiClient } from '../app/api-client.ts';
import type { TestApp } from '../app/test-app.ts';

export const US_PROFILE = {
  givenName: 'Ada',
  surname: 'Lovelace',
  dateOfBirth: '1990-02-01',
  countryCode: 'USA',
  idNumber: '000-00-0000',
  address: {
    addressLine1: '1 Main Street',
    addressLine2: 'Flat 2',
    district: 'Downtown',
    city: 'Austin',
    state: 'TX',
    postalCode: '78701',
    countryCode: 'USA',
  },
};

/** A member whose profile is complete. */
export async function newPayee(client: ApiClient, profile: object = {}): Promise<string> {
  const { id } = await client.newMember();
  const answer = await client.patch(`/api/v1/members/${id}/profile`, { ...US_PROFILE, ...profile });
  if (answer.status !== 200) throw new Error(`the profile was not stored: ${answer.text}`);
  return id;
}

export interface PlantedAccount {
  country?: string;
  currency?: string;
  accountNumber?: string;
  routingNumber?: string;
  bankCode?: string;
  branchCode?: string;
  /** Seconds from now. */
  dueIn?: number;
  tosIp?: string;
}

export async function plantPayoutAccount(
  app: TestApp,
  scope: Scope,
  memberId: string,
  { country = 'US', currency = 'USD', dueIn = 60, tosIp = '203.0.113.7', ...bank }: PlantedAccount = {},
): Promise<string> {
  const id = randomUUID();
  const details = { accountHolderName: 'Ada Lovelace', routingNumber: '110000000', accountNumber: '000123456789', ...bank };
  const place = ['payout_account', scope.tenantId, scope.environment, id, 'bank'];
  const sealed = createCipher(app.config.secrets.dataKeys).encrypt(Buffer.from(JSON.stringify(details)), place);
  const lastFour = details.accountNumber.slice(-4);
  await app.database.asSuperuser(
    `insert into payout_account (tenant_id, environment, id, member_id, provider_type, method_type, display_name, country, currency,
                                 is_primary, status, bank_sealed, last_four, fingerprint, tos_acceptance, check_at, created_at, updated_at)
     values ($1, $2, $3, $4, 'payvendor', lower($6) || '_bank_transfer', '•••• ' || $5, $6, $7, false, 'provisioning', $8, $5, $9,
             $10::jsonb, now() + make_interval(secs => $11), now(), now())`,
    [
      scope.tenantId,
      scope.environment,
      id,
      memberId,
      lastFour,
      country,
      currency,
      sealed,
      randomBytes(32),
      JSON.stringify({ acceptedAt: '2026-01-02T03:04:05.678Z', ip: tosIp, userAgent: 'test', source: 'body' }),
      dueIn,
    ],
  );
  return id;
}

export interface AccountFacts {
  status: string;
  status_reason: string | null;
  external_account_id: string | null;
  bank_name: string | null;
  display_name: string;
  has_details: boolean;
  is_activated: boolean;
  is_due: boolean;
  checks: number;
  acct: string | null;
  provider_status: string | null;
}

export async function factsOf(app: TestApp, id: string): Promise<AccountFacts> {
  const [facts] = await app.database.asSuperuser<AccountFacts>(
    `select x.status, x.status_reason, x.external_account_id, x.bank_name, x.display_name, x.bank_sealed is not null as has_details,
            x.activated_at is not null as is_activated, x.check_at is not null as is_due, x.checks,
            a.provider_account_id as acct, a.status as provider_status
     from payout_account x left join provider_account a on a.id = x.provider_account_ref
     where x.id = $1`,
    [id],
  );
  if (!facts) throw new Error('there is no such payout account');
  return facts;
}
