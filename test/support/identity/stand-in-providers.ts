/** External providers whose tokens are what they say, in plain text: for tests of what becomes of a verified identity. */
import { randomUUID } from 'node:crypto';
import type { Scope } from '../../../src/db/scope.ts';
import { AppError } from '../../../src/errors.ts';
import type { ExternalProviders, LinkingRules } from '../../../src/features/auth/exchange-service.ts';
import type { ExternalIdentity, ExternalToken } from '../../../src/features/auth/open/external-token.ts';
import type { TestApp } from '../app/test-app.ts';
import type { TestDatabase } from '../database/test-database.ts';

/** `meanwhile` happens while a token is verified, before anything is written. */
export function standInProviders(
  database: TestDatabase,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
): ExternalProviders {
  return {
    async findProvider({ tenantId, environment }, id) {
      const [row] = await database.asSuperuser<LinkingRules & { [column: string]: unknown }>(
        `select id, auto_create_users as "autoCreateUsers", trust_email as "trustEmail",
                accept_unverified_email as "acceptUnverifiedEmail" from auth_provider
         where tenant_id = $1 and environment = $2 and id = $3`,
        [tenantId, environment, id],
      );
      return row;
    },
    async holdProvider(_db, { tenantId, environment }, id) {
      const rows = await database.asSuperuser(
        'select id from auth_provider where tenant_id = $1 and environment = $2 and id = $3',
        [tenantId, environment, id],
      );
      return rows.length > 0;
    },
    async verifyExternalToken(_provider, token) {
      const text = Buffer.from(token, 'base64url').toString();
      if (!text.startsWith('{')) throw new AppError('INVALID_TOKEN', 'The token is not valid');
      await meanwhile();
      return JSON.parse(text) as ExternalToken;
    },
  };
}

/** A person of its own, as the provider's token shows it. */
export function personOf(claims: Partial<ExternalIdentity> = {}): ExternalIdentity {
  const subject = randomUUID();
  return {
    subject,
    email: `${subject}@person.example`,
    emailVerified: true,
    name: 'Ada Example',
    givenName: 'Ada',
    surname: 'Example',
    ...claims,
  };
}

/** Another token each time, unless its mark is given. */
export function tokenOf(identity: ExternalIdentity, token: Partial<ExternalToken> = {}): string {
  const issuedAt = Math.floor(Date.now() / 1000);
  const all = { mark: randomUUID(), issuedAt, expiresAt: issuedAt + 300, ...identity, ...token };
  return Buffer.from(JSON.stringify(all)).toString('base64url');
}

/** Returns the provider id. */
export async function plantProvider(
  { database }: TestApp,
  { tenantId, environment }: Scope,
  rules: { autoCreateUsers?: boolean; trustEmail?: boolean; acceptUnverifiedEmail?: boolean } = {},
): Promise<string> {
  const providerId = `idp-${randomUUID()}`;
  await database.asSuperuser(
    `insert into auth_provider (tenant_id, environment, provider_id, issuer_url, jwks_uri, allowed_audiences, auto_create_users, trust_email,
                                accept_unverified_email)
     values ($1, $2, $3, 'https://idp.example', 'https://idp.example/jwks', array['app'], $4, $5, $6)`,
    [
      tenantId,
      environment,
      providerId,
      rules.autoCreateUsers ?? true,
      rules.trustEmail ?? false,
      rules.acceptUnverifiedEmail ?? false,
    ],
  );
  return providerId;
}
