/**
 * From a token of an external provider to a session of ours: whose identity it is, and what becomes of
 * a person that nobody knows yet. Source: docs/specification/identity.md#linking.
 */
import { violates } from '../../db/constraints.ts';
import { locateAuthProvider } from '../../db/cross-tenant-lookups.ts';
import type { Frames } from '../../db/frame.ts';
import type { Db, Environment, Scope, WriteDb } from '../../db/scope.ts';
import { AppError, invalidField } from '../../errors.ts';
import { email as emailSchema, text } from '../../http/schemas.ts';
import { recordAudit } from '../audit/audit-service.ts';
import type { EmailHolder, UsersService } from '../users/users-service.ts';
import { invalidToken } from './access-tokens.ts';
import type { TokenPair } from './auth-operations.ts';
import { findIdentity, hasIdentityAt, insertIdentity, type LinkedMember } from './identities-queries.ts';
import { authErrors } from './open/auth-errors.ts';
import type { ExternalIdentity, ExternalToken } from './open/external-token.ts';
import type { TokenMark } from './token-digests.ts';
import type { TokensService } from './tokens-service.ts';

/** What comes with the token. */
type Referral = Pick<ExchangeInput, 'referralCode' | 'clickId' | 'requestId' | 'ip'>;

/** What the exchange has to know of a provider. */
export interface LinkingRules {
  id: string;
  autoCreateUsers: boolean;
  trustEmail: boolean;
  acceptUnverifiedEmail: boolean;
}

/** The external providers of tenants. */
export interface ExternalProviders<Provider extends LinkingRules = LinkingRules> {
  findProvider(scope: Scope, id: string): Promise<Provider | undefined>;
  /** Whether it still is; if so it is not deleted before the transaction ends, so its sessions cannot outlive it. */
  holdProvider(db: Db, scope: Scope, id: string): Promise<boolean>;
  /** INVALID_TOKEN, or PROVIDER_UNAVAILABLE when its keys cannot be had. */
  verifyExternalToken(provider: Provider, token: string): Promise<ExternalToken>;
}

export interface ExchangeInput {
  /** As sent: none of it is known to mean anything. */
  tenant: string | undefined;
  provider: string;
  token: string;
  /** Who referred the person, for the case that it becomes a member now. */
  referralCode?: string | null | undefined;
  clickId?: string | null | undefined;
  /** X-Request-Id of the answer. */
  requestId: string;
  ip: string | null;
  /** Called as soon as the provider, and so the environment, is known. */
  ranIn(environment: Environment): void;
}

export interface ExchangeService {
  /** INVALID_TOKEN, USER_NOT_PROVISIONED, ACCOUNT_LINK_REQUIRED; 400 when a new person's claims cannot be used. */
  exchange(input: ExchangeInput): Promise<TokenPair>;
}

interface Deps<Provider extends LinkingRules> {
  frames: Frames;
  providers: ExternalProviders<Provider>;
  users: UsersService;
  tokens: TokensService;
  /** Counts an exchange of a good token for its tenant. RATE_LIMITED. */
  countExchange(scope: Scope): Promise<void>;
  digestOf(providerId: string, token: TokenMark): Buffer;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const PROVIDER_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const MAX_TOKEN_LENGTH = 16_384;
const MAX_RUNS = 4;

/** Another exchange of the same person was quicker: run again, its rows are found. */
const RACES = [
  'member_identity_subject_key',
  'member_identity_member_key',
  'member_email_key',
  'member_external_id_key',
  'referral_code_code_key',
];

export function createExchangeService<Provider extends LinkingRules>(deps: Deps<Provider>): ExchangeService {
  const { frames, providers, users, tokens, countExchange, digestOf } = deps;

  async function locate(tenant: string | undefined, provider: string): Promise<{ scope: Scope; provider: Provider } | undefined> {
    if (tenant === undefined || !UUID.test(tenant) || !PROVIDER_ID.test(provider)) return undefined;
    const tenantId = tenant.toLowerCase();
    const [located] = await frames.unscoped(locateAuthProvider({ tenantId, providerId: provider }));
    if (!located) return undefined;
    const scope: Scope = { tenantId, environment: located.environment };
    const found = await providers.findProvider(scope, located.id);
    return found && { scope, provider: found };
  }

  async function signIn(
    db: WriteDb,
    scope: Scope,
    provider: Provider,
    linked: LinkedMember,
    identity: ExternalIdentity,
  ): Promise<string> {
    if (!linked.alive) throw invalidToken();
    if (!linked.emailVerified && identity.email !== null && isEmailVerified(provider, identity)) {
      await users.verifyEmail(db, scope, linked.memberId, identity.email);
    }
    await users.renameMember(db, scope, linked.memberId, namesOf(identity));
    return linked.memberId;
  }

  /** The member of the identity; links or creates one where the provider's rules allow it. */
  async function memberOf(
    db: WriteDb,
    scope: Scope,
    provider: Provider,
    identity: ExternalIdentity,
    referral: Referral,
  ): Promise<string> {
    const linked = await findIdentity(db, scope, provider.id, identity.subject);
    if (linked) return signIn(db, scope, provider, linked, identity);
    if (!provider.autoCreateUsers) {
      throw new AppError(authErrors.USER_NOT_PROVISIONED, 'No member is linked to this identity, and the provider creates none');
    }
    const email = requireEmail(identity.email);
    if (identity.emailVerified === false && !provider.acceptUnverifiedEmail) {
      throw new AppError(authErrors.USER_NOT_PROVISIONED, 'The provider says that the email is not verified', {
        details: { reason: 'EMAIL_UNVERIFIED' },
      });
    }
    const known = await users.findByEmail(db, scope, email);
    // Another exchange of the same person may have been quicker since: it commits member and identity at once.
    const meanwhile = known && (await findIdentity(db, scope, provider.id, identity.subject));
    if (meanwhile) return signIn(db, scope, provider, meanwhile, identity);
    const emailVerified = isEmailVerified(provider, identity);
    const memberId = known
      ? await adopt(db, scope, provider, { known, emailVerified })
      : await create(db, scope, identity, { email, emailVerified, ...referral });
    await insertIdentity(db, scope, { providerId: provider.id, subject: identity.subject, memberId });
    await recordAudit(db, scope, {
      action: known ? 'member_identity.linked' : 'member_identity.created',
      by: {
        actor: { kind: 'member', id: memberId },
        operationId: 'exchangeToken',
        requestId: referral.requestId,
        ip: referral.ip,
      },
      objectKind: 'member',
      objectId: memberId,
      details: { authProviderId: provider.id },
    });
    return memberId;
  }

  /**
   * Whoever controls an address at a provider is a member only where the tenant trusts that provider's word for it, and
   * never one whose own address nobody had verified.
   */
  async function adopt(
    db: WriteDb,
    scope: Scope,
    provider: Provider,
    { known, emailVerified }: { known: EmailHolder; emailVerified: boolean },
  ): Promise<string> {
    const trusted = provider.trustEmail && emailVerified && known.emailVerified;
    if (!trusted || (await hasIdentityAt(db, scope, provider.id, known.id))) {
      throw new AppError(authErrors.ACCOUNT_LINK_REQUIRED, 'A member with this email exists and is not linked to this identity');
    }
    if (!known.alive) throw invalidToken();
    return known.id;
  }

  /** What the browser has kept of a referral keeps nobody out: what leads nowhere is passed over, and the receipt says so. */
  async function create(
    db: WriteDb,
    scope: Scope,
    { subject, name }: ExternalIdentity,
    { email, emailVerified, referralCode, clickId }: Referral & { email: string; emailVerified: boolean },
  ): Promise<string> {
    const taken = await users.isExternalIdTaken(db, scope, subject);
    const person = { email, name: requireName(name), external_id: taken ? null : subject };
    const named = { referral_code: referralCode, click_id: clickId };
    const { id } = await users.insertMember(db, scope, { ...person, ...named }, { by: 'signed_in', emailVerified });
    return id;
  }

  return {
    async exchange({ tenant, provider: providerId, token, ranIn, ...referral }) {
      const located = token.length <= MAX_TOKEN_LENGTH ? await locate(tenant, providerId) : undefined;
      if (!located) throw invalidToken();
      const { scope, provider } = located;
      ranIn(scope.environment);
      const { mark, issuedAt, expiresAt, nonce: _nonce, ...identity } = await providers.verifyExternalToken(provider, token);
      if (!isSubject(identity.subject)) throw invalidToken();
      await countExchange(scope);
      const digest = digestOf(provider.id, { subject: identity.subject, mark });
      const session = await tokens.startSession();
      for (let run = 1; ; run++) {
        try {
          return await frames.write(scope, async (db) => {
            if (!(await providers.holdProvider(db, scope, provider.id))) throw invalidToken();
            const claimed = await session.claim(db, scope, { providerId: provider.id, digest, issuedAt, expiresAt });
            return claimed.insert(await memberOf(db, scope, provider, identity, referral));
          });
        } catch (error) {
          if (run === MAX_RUNS || !RACES.some((constraint) => violates(error, constraint))) throw error;
        }
      }
    },
  };
}

/** What the token says counts; where it says nothing, the tenant's trust in the provider. */
function isEmailVerified({ trustEmail }: LinkingRules, { emailVerified }: ExternalIdentity): boolean {
  return emailVerified ?? trustEmail;
}

/** OIDC Core: at most 255 characters. */
function isSubject(subject: string): boolean {
  return subject.length >= 1 && subject.length <= 255 && isStorable(subject);
}

function requireEmail(claim: string | null): string {
  const parsed = emailSchema.safeParse(claim);
  if (!parsed.success) throw invalidField('email', claim === null ? 'is missing in the token' : 'is not an email address');
  return parsed.data;
}

/** A new member may be without a name, and must not get one that is cut. */
function requireName(claim: string | null): string | null {
  if (claim === null || claim.trim() === '') return null;
  if (!isName(claim)) throw invalidField('name', 'must be text of at most 255 characters');
  return claim;
}

/** Of a member who is known, a name that cannot be stored is left as it is: a login must not fail on it. */
function namesOf({ name, givenName, surname }: ExternalIdentity) {
  const usable = (claim: string | null): string | null => (claim !== null && isName(claim) ? claim : null);
  return { name: usable(name), givenName: usable(givenName), surname: usable(surname) };
}

function isName(claim: string): boolean {
  return text(255).safeParse(claim).success && isStorable(claim);
}

/** Whether PostgreSQL takes it, and gives it back as it was. */
function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\u0000');
}
