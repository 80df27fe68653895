/**
 * Rules of external auth providers: none is kept that could not be used when it was saved.
 * Source: docs/specification/identity.md#providers.
 */
import type { JWK } from 'jose';
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { AppError, invalidFields } from '../../errors.ts';
import type { CallContext, RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import type { OutgoingClient } from '../../outgoing/outgoing-client.ts';
import { recordAudit } from '../audit/audit-service.ts';
import type { PendingChangesOffers } from '../pending-changes/pending-changes-feature.ts';
import { checkProvider } from './check-provider.ts';
import { effectsOfDeletion, effectsOfNew, effectsOfUpdate } from './judge-provider.ts';
import type { VerifyExternalToken } from './open/external-token.ts';
import type { createAuthProvider, listAuthProviders, updateAuthProvider } from './providers-operations.ts';
import {
  type AuthProvider,
  deleteProvider,
  findProviderStatement,
  holdProvider,
  insertProvider,
  listProvidersStatement,
  lockProvider,
  type ProviderSettings,
  providerHasIdentities,
  toProvider,
  updateProvider,
} from './providers-queries.ts';
import { createTokenVerifier } from './verify-external-token.ts';

type Create = z.output<(typeof createAuthProvider)['body'] & {}>;
type Update = z.output<(typeof updateAuthProvider)['body'] & {}>;
type List = z.output<(typeof listAuthProviders)['query'] & {}>;

export interface ProvidersService {
  /** PROVIDER_CONFIGURATION, PROVIDER_UNAVAILABLE; STATE_CONFLICT when the providerId is taken in the tenant. May wait. */
  createProvider(context: CallContext, input: Create): Promise<AuthProvider>;
  listProviders(context: RequestContext, query: List): Promise<Page<AuthProvider>>;
  /** NOT_FOUND. */
  readProvider(context: RequestContext, id: string): Promise<AuthProvider>;
  /** As `createProvider`; STATE_CONFLICT too on a new issuer when members have come from the present one. May wait. */
  updateProvider(context: CallContext, id: string, input: Update): Promise<AuthProvider>;
  /** Unlinks its members and revokes their tokens. Returns the id. NOT_FOUND. */
  deleteProvider(context: CallContext, id: string): Promise<string>;
  /** The keys it signs with now. As `createProvider`, and NOT_FOUND. */
  testProvider(context: CallContext, id: string): Promise<TestedProvider>;
  /** For the exchange of its tokens. */
  findProvider(scope: Scope, id: string): Promise<AuthProvider | undefined>;
  /**
   * Whether it is still there; if so no deletion gets by until the caller's frame ends. A frame that
   * makes tokens of the provider calls this first, or a deletion could miss them.
   */
  holdProvider(db: Db, scope: Scope, id: string): Promise<boolean>;
  verifyExternalToken: VerifyExternalToken;
}

export interface TestedProvider {
  id: string;
  keys: JWK[];
}

interface Deps {
  frames: Frames;
  cursors: Cursors;
  outgoing: OutgoingClient;
  holdBack: PendingChangesOffers['holdBack'];
}

export function createProvidersService({ frames, cursors, outgoing, holdBack }: Deps): ProvidersService {
  async function findProvider(scope: Scope, id: string): Promise<AuthProvider | undefined> {
    const [row] = await frames.readOnce(scope, findProviderStatement(scope, id));
    return row && toProvider(row);
  }

  async function requireProvider(scope: Scope, id: string): Promise<AuthProvider> {
    const provider = await findProvider(scope, id);
    if (!provider) throw unknownProvider();
    return provider;
  }

  /** No transaction is open while a provider is asked, so a repeat is answered before that. */
  async function answerRepeat({ scope, guard }: RequestContext): Promise<void> {
    if (guard) await frames.read(scope, (db) => guard.replay(db));
  }

  function refuseAddresses(input: { issuerUrl?: string | undefined; jwksUri?: string | null | undefined }): void {
    const faults = (['issuerUrl', 'jwksUri'] as const).flatMap((field) => {
      const address = input[field];
      const message = address == null ? undefined : outgoing.checkAddress(address);
      return message === undefined ? [] : [{ field, message }];
    });
    if (input.issuerUrl?.includes('?') === true) faults.push({ field: 'issuerUrl', message: 'must not have a query' });
    if (faults.length > 0) throw invalidFields(faults);
  }

  return {
    findProvider,
    holdProvider,
    verifyExternalToken: createTokenVerifier(outgoing),

    async createProvider(context, { providerId, ...input }) {
      const { scope, guard, shape } = context;
      refuseAddresses(input);
      await answerRepeat(context);
      const { jwksUri } = await checkProvider(outgoing, { issuerUrl: input.issuerUrl, jwksUri: input.jwksUri ?? undefined });
      return frames.write(
        scope,
        async (db) => {
          const wanted = { ...input, jwksUri };
          // A providerId that is taken is told at once; nothing of the row is left where this throws.
          const provider = await insertProvider(db, scope, providerId, wanted);
          const hands = await holdBack(db, context, effectsOfNew(providerId, wanted));
          await audit(db, context, 'created', provider.id, { providerId, ...hands });
          return provider;
        },
        { guard, shape },
      );
    },

    async listProviders({ scope }, { limit, cursor }) {
      const identity = { scope, operationId: 'listAuthProviders', filters: {} };
      const afterId = cursors.open(cursor, identity);
      const rows = await frames.readOnce(scope, listProvidersStatement(scope, afterId, limit + 1));
      return cursors.page(rows.map(toProvider), limit, identity, (provider) => provider.id);
    },

    readProvider: ({ scope }, id) => requireProvider(scope, id),

    async updateProvider(context, id, input) {
      const { scope, guard, shape } = context;
      refuseAddresses(input);
      await answerRepeat(context);
      const seen = await requireProvider(scope, id);
      const addresses = await checkAddresses(outgoing, seen, input);
      return frames.write(
        scope,
        async (db) => {
          const present = await lockProvider(db, scope, id);
          if (!present) throw unknownProvider();
          if (present.issuerUrl !== seen.issuerUrl || present.jwksUri !== seen.jwksUri) {
            throw new AppError('STATE_CONFLICT', 'The addresses of the provider were changed meanwhile');
          }
          if (addresses.issuerUrl !== present.issuerUrl && (await providerHasIdentities(db, scope, id))) {
            throw new AppError('STATE_CONFLICT', 'Members have come from this issuer; add another provider for the new one');
          }
          const wanted: ProviderSettings = {
            issuerUrl: addresses.issuerUrl,
            jwksUri: addresses.jwksUri,
            allowedAudiences: input.allowedAudiences ?? present.allowedAudiences,
            autoCreateUsers: input.autoCreateUsers ?? present.autoCreateUsers,
            trustEmail: input.trustEmail ?? present.trustEmail,
            acceptUnverifiedEmail: input.acceptUnverifiedEmail ?? present.acceptUnverifiedEmail,
          };
          const hands = await holdBack(db, context, effectsOfUpdate(present.providerId, present, wanted));
          const changed = await updateProvider(db, scope, id, wanted);
          if (!changed) throw new Error('a locked auth provider vanished');
          await audit(db, context, 'updated', id, { fields: Object.keys(input), ...hands });
          return changed;
        },
        { guard, shape },
      );
    },

    async deleteProvider(context, id) {
      const { scope, guard, shape } = context;
      return frames.write(
        scope,
        async (db) => {
          const provider = await lockProvider(db, scope, id);
          if (!provider) throw unknownProvider();
          const { providerId } = provider;
          const hands = await holdBack(db, context, effectsOfDeletion(providerId, provider));
          await deleteProvider(db, scope, id);
          await audit(db, context, 'deleted', id, { providerId, ...hands });
          return id;
        },
        { guard, shape },
      );
    },

    async testProvider(context, id) {
      const { scope, guard, shape } = context;
      await answerRepeat(context);
      const { issuerUrl, jwksUri } = await requireProvider(scope, id);
      const { keys } = await checkProvider(outgoing, { issuerUrl, jwksUri });
      const tested = { id, keys };
      return guard ? frames.write(scope, () => Promise.resolve(tested), { guard, shape }) : tested;
    },
  };
}

/** The addresses a change leads to; asked only when one of them is given. */
async function checkAddresses(
  outgoing: OutgoingClient,
  seen: AuthProvider,
  input: Update,
): Promise<Pick<AuthProvider, 'issuerUrl' | 'jwksUri'>> {
  if (input.issuerUrl === undefined && input.jwksUri === undefined) return seen;
  const issuerUrl = input.issuerUrl ?? seen.issuerUrl;
  // The keys of one issuer are not those of another.
  const kept = issuerUrl === seen.issuerUrl ? seen.jwksUri : undefined;
  const wanted = input.jwksUri === undefined ? kept : (input.jwksUri ?? undefined);
  const { jwksUri } = await checkProvider(outgoing, { issuerUrl, jwksUri: wanted });
  return { issuerUrl, jwksUri };
}

function audit(
  db: Db,
  { scope }: CallContext,
  deed: 'created' | 'updated' | 'deleted',
  id: string,
  details: Record<string, unknown>,
): Promise<void> {
  return recordAudit(db, scope, {
    action: `auth_provider.${deed}`,
    by: scope.provenance,
    objectKind: 'auth_provider',
    objectId: id,
    details,
  });
}

function unknownProvider(): AppError {
  return new AppError('NOT_FOUND', 'No such auth provider');
}
