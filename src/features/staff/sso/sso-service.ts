/** Signing in by the tenant's own identity provider. Source: docs/specification/people.md#sso. */
import type { Logger } from 'pino';
import { locateTenantSlug } from '../../../db/cross-tenant-lookups.ts';
import type { Frames } from '../../../db/frame.ts';
import type { Scope, WriteDb } from '../../../db/scope.ts';
import type { Cipher } from '../../../encryption.ts';
import { normaliseEmail } from '../../../http/schemas.ts';
import type { OutgoingClient } from '../../../outgoing/outgoing-client.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import type { VerifyExternalToken } from '../../auth/open/external-token.ts';
import type { Challenges, FoundChallenge } from '../challenges.ts';
import { methodsOf } from '../factor-methods.ts';
import type { Links } from '../links.ts';
import type { Visitor } from '../open/sign-in.ts';
import type { ProviderAnswer, SsoResult, StaffSso } from '../open/sso.ts';
import { byPerson, peopleOf } from '../sessions.ts';
import { byNobody, type Finished, type SignIn } from '../sign-in.ts';
import { type LockedPerson, lockPerson } from '../staff-queries.ts';
import { createDiscovery } from './discovery.ts';
import { type Client, challengeOf, createDerived, type ProvenIdentity, redeem, sameText } from './id-token.ts';
import { findBySubject, findUnlinked, linkSubject, readProvider, readTenantName } from './sso-queries.ts';
import { clientSecretPlace } from './sso-sealed.ts';

interface Deps {
  frames: Frames;
  cipher: Cipher;
  pepper: Buffer;
  logger: Logger;
  outgoing: OutgoingClient;
  verifyToken: VerifyExternalToken;
  challenges: Challenges;
  links: Pick<Links, 'joinInvited'>;
  signIn: Pick<SignIn, 'finishIn' | 'complete'>;
}

const FAILED = { kind: 'failed' } as const;
const SCOPES = 'openid email profile';

/** What came of an identity: nobody here is meant by it, or a sign-in that is written. */
type Found =
  | { kind: 'not_invited' }
  | { kind: 'factor_needed'; challenge: string; methods: ReturnType<typeof methodsOf> }
  | Finished;

export function createSso(deps: Deps): StaffSso {
  const { frames, cipher, pepper, logger, outgoing, challenges, links, signIn } = deps;
  const discovery = createDiscovery(outgoing);
  const derived = createDerived(pepper);

  /** The provider of a tenant, while it is on. */
  async function clientOf(scope: Scope): Promise<(Client & { ssoOnly: boolean }) | undefined> {
    const row = await frames.read(scope, (db) => readProvider(db, scope));
    if (!row?.isOn || row.issuerUrl === null || row.clientId === null || row.clientSecretSealed === null) return undefined;
    return {
      tenantId: scope.tenantId,
      issuerUrl: row.issuerUrl,
      clientId: row.clientId,
      clientSecret: cipher.decrypt(row.clientSecretSealed, clientSecretPlace(scope)).toString(),
      updatedAt: row.updatedAt,
      ssoOnly: row.ssoOnly,
    };
  }

  async function scopeOf(slug: string): Promise<Scope | undefined> {
    const [tenant] = await frames.unscoped(locateTenantSlug({ slug: slug.toLowerCase() }));
    return tenant && peopleOf({ tenantId: tenant.tenant_id });
  }

  /** Whom an identity means: the person that it has signed in before, or whoever has its verified address. */
  async function personOf(
    db: WriteDb,
    scope: Scope,
    issuer: string,
    identity: ProvenIdentity,
    visitor: Visitor,
  ): Promise<LockedPerson | undefined> {
    const { subject, verifiedEmail } = identity;
    const known = await findBySubject(db, scope, { issuer, subject });
    if (known !== undefined) return lockPerson(db, scope, known);
    if (verifiedEmail === null) return undefined;
    const staffId = await findUnlinked(db, scope, { issuer, email: normaliseEmail(verifiedEmail) });
    const person = staffId === undefined ? undefined : await lockPerson(db, scope, staffId);
    if (person?.state !== 'active' && person?.state !== 'invited') return undefined;
    await linkSubject(db, scope, { staffId: person.id, issuer, subject });
    await recordAudit(db, scope, {
      action: 'staff.provider_linked',
      by: byPerson(person.id, 'sign-in', visitor),
      objectKind: 'staff',
      objectId: person.id,
    });
    return person;
  }

  function failed(
    db: WriteDb,
    scope: Scope,
    objectId: string | null,
    details: Record<string, unknown>,
    visitor: Visitor,
  ): Promise<void> {
    const by = byNobody('sign-in', visitor);
    return recordAudit(db, scope, { action: 'staff.sign_in_failed', by, objectKind: 'staff', objectId, details });
  }

  async function enter(db: WriteDb, scope: Scope, issuer: string, identity: ProvenIdentity, visitor: Visitor): Promise<Found> {
    const person = await personOf(db, scope, issuer, identity, visitor);
    const joined =
      person?.state === 'invited'
        ? await links.joinInvited(db, scope, person, identity.name, visitor)
        : person?.state === 'active';
    if (!person || !joined) {
      await failed(db, scope, person?.id ?? null, { by: 'provider' }, visitor);
      return { kind: 'not_invited' };
    }
    const methods = methodsOf(person);
    if (methods.length > 0) {
      const challenge = await challenges.make(db, scope, { kind: 'sign_in', staffId: person.id, data: { by: 'provider' } });
      return { kind: 'factor_needed', challenge, methods };
    }
    return signIn.finishIn(db, scope, { staffId: person.id, withFactor: false, by: 'provider' }, visitor);
  }

  /** Who answered, for certain. Undefined when the answer does not hold. */
  async function identify(
    asked: FoundChallenge,
    { state, code, issuer, redirectUri }: ProviderAnswer,
  ): Promise<{ client: Client; identity: ProvenIdentity } | undefined> {
    const { issuerUrl, clientId } = asked.data;
    try {
      // Of each tenant its own: a code of one tenant's provider never goes to another's. RFC 9700 §4.4.2.
      if (redirectUri !== asked.data['redirectUri']) throw new Error('it came back to another redirect URI');
      const client = await clientOf(asked.scope);
      // Asked before the settings were changed: another provider might answer.
      if (!client || client.issuerUrl !== issuerUrl || client.clientId !== clientId)
        throw new Error('the provider is another by now');
      if (issuer !== undefined && !sameText(issuer, client.issuerUrl)) throw new Error('another issuer answered');
      // Once, whatever comes of it.
      if (!(await frames.write(asked.scope, (db) => challenges.take(db, asked)))) throw new Error('answered before');
      const endpoints = await discovery.of(client.issuerUrl);
      if (issuer === undefined && endpoints.namesItself) throw new Error('the answer does not say who answered');
      const question = { code, redirectUri, verifier: derived.verifier(state), nonce: derived.nonce(state) };
      return { client, identity: await redeem(deps, client, endpoints, question) };
    } catch (error) {
      logger.warn({ err: error, tenantId: asked.scope.tenantId }, 'a sign-in by a provider did not hold');
      return undefined;
    }
  }

  return {
    async look(slug) {
      const scope = await scopeOf(slug);
      const client = scope && (await clientOf(scope));
      if (!client) return undefined;
      const tenantName = await frames.read(scope, (db) => readTenantName(db, scope));
      return { tenantName, slug: slug.toLowerCase(), host: new URL(client.issuerUrl).host, ssoOnly: client.ssoOnly };
    },

    async begin(slug, redirectUriOf) {
      const scope = await scopeOf(slug);
      const client = scope && (await clientOf(scope));
      if (!client) return undefined;
      const { issuerUrl, clientId } = client;
      const { authorization } = await discovery.of(issuerUrl);
      const redirectUri = redirectUriOf(scope.tenantId);
      const data = { redirectUri, issuerUrl, clientId };
      const state = await frames.write(scope, (db) => challenges.make(db, scope, { kind: 'sso', data }));
      const address = new URL(authorization);
      const asked = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: SCOPES,
        state,
        nonce: derived.nonce(state),
        code_challenge: challengeOf(derived.verifier(state)),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
      return { state, address: address.href };
    },

    async finish(answer, visitor): Promise<SsoResult> {
      const asked = await challenges.find(answer.state, 'sso');
      if (!asked) return FAILED;
      const { scope } = asked;
      const proven = await identify(asked, answer);
      if (!proven) {
        await frames.write(scope, (db) => failed(db, scope, null, { by: 'provider', proven: false }, visitor));
        return FAILED;
      }
      const found = await frames.write(scope, (db) => enter(db, scope, proven.client.issuerUrl, proven.identity, visitor));
      if (found.kind === 'not_invited' || found.kind === 'factor_needed') return found;
      return signIn.complete(found);
    },
  };
}
