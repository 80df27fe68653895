/** Endpoints: made, read, changed, given new secrets, deleted. Source: docs/specification/webhooks.md#endpoints. */
import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { actorRef } from '../../../actor.ts';
import type { Frames } from '../../../db/frame.ts';
import { newId } from '../../../db/ids.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import type { Cipher } from '../../../encryption.ts';
import { AppError, invalidField } from '../../../errors.ts';
import type { ActingContext, CallContext, Caller, RequestContext } from '../../../http/operation.ts';
import type { Cursors, Page } from '../../../http/pagination.ts';
import type { OutgoingClient } from '../../../outgoing/outgoing-client.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import { refreshHearing } from '../log/hearing-queries.ts';
import { hiddenTypes, type ScopeOfType } from '../open/event-rights.ts';
import { isPattern } from '../open/event-types.ts';
import { endpointHeadersPlace, endpointSecretPlace } from './endpoint-sealed.ts';
import type {
  createWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from './endpoints-operations.ts';
import { MAX_ENDPOINTS } from './endpoints-operations.ts';
import {
  deleteEndpoint,
  type Endpoint,
  type EndpointChange,
  findEndpoint,
  type Hour,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
  readHours,
  rotateSecret,
  updateEndpoint,
} from './endpoints-queries.ts';
import { findHeaderFault } from './own-headers.ts';

type Create = z.output<(typeof createWebhookEndpoint)['body'] & {}>;
type Update = z.output<(typeof updateWebhookEndpoint)['body'] & {}>;
type Rotate = z.output<(typeof rotateWebhookSecret)['body'] & {}>;
type List = z.output<(typeof listWebhookEndpoints)['query'] & {}>;

type PlainEndpoint = Omit<Endpoint, 'rights'> & {
  /** Types that it hears, and whose objects it is not sent. */
  hiddenTypes: string[];
};
export type ShownEndpoint = PlainEndpoint & { hours?: Omit<Hour, 'endpointId'>[] };
export type EndpointWithSecret = PlainEndpoint & { secret: string };

export interface EndpointsService {
  /** STATE_CONFLICT where there are as many as there may be; 400 for an address, a type or a header that cannot be. */
  create(context: CallContext, input: Create): Promise<EndpointWithSecret>;
  list(context: RequestContext, query: List): Promise<Page<ShownEndpoint>>;
  /** NOT_FOUND. */
  read(context: RequestContext, endpointId: string, withHours: boolean): Promise<ShownEndpoint>;
  /** NOT_FOUND. */
  update(context: CallContext, endpointId: string, input: Update): Promise<PlainEndpoint>;
  /** Returns the id. NOT_FOUND. */
  remove(context: ActingContext, endpointId: string): Promise<string>;
  /** NOT_FOUND. */
  rotate(context: ActingContext, endpointId: string, input: Rotate): Promise<EndpointWithSecret>;
}

interface Deps {
  frames: Frames;
  cursors: Cursors;
  cipher: Cipher;
  outgoing: Pick<OutgoingClient, 'checkAddress'>;
  /** All that there are. */
  types: Iterable<string> & { has(type: string): boolean };
  scopeOfType: ScopeOfType;
}

const DEFAULT_OVERLAP_HOURS = 24;

/** What gives an endpoint the rights of who changes it: where it is sent, what, with which headers, and that it is sent anything again. */
const RIGHTS_CHANGE = ['url', 'eventTypes', 'headers'];

const givesRights = (field: string, { enabled }: Pick<Endpoint, 'enabled'>): boolean =>
  RIGHTS_CHANGE.includes(field) || (field === 'enabled' && enabled);

export function createEndpointsService({ frames, cursors, cipher, outgoing, types, scopeOfType }: Deps): EndpointsService {
  function refuseUnusable({ url, eventTypes, headers }: Pick<Update, 'url' | 'eventTypes' | 'headers'>): void {
    const urlFault = url === undefined ? undefined : outgoing.checkAddress(url);
    if (urlFault !== undefined) throw invalidField('url', urlFault);
    for (const [index, type] of (eventTypes ?? []).entries()) {
      if (!isPattern(type, types)) throw invalidField(`eventTypes.${index}`, 'is no type of event, nor the first word of one');
    }
    const headerFault = headers ? findHeaderFault(headers) : undefined;
    if (headerFault !== undefined) throw invalidField('headers', headerFault);
  }

  const shown = ({ rights, ...endpoint }: Endpoint): PlainEndpoint => ({
    ...endpoint,
    hiddenTypes: hiddenTypes(types, endpoint.eventTypes, rights, scopeOfType),
  });

  const sealedHeaders = (scope: Scope, id: string, headers: Update['headers']) =>
    headers == null || Object.keys(headers).length === 0
      ? { headerNames: [], headersSealed: null }
      : {
          headerNames: Object.keys(headers),
          headersSealed: cipher.encrypt(Buffer.from(JSON.stringify(headers)), endpointHeadersPlace(scope, id)),
        };

  function newSecret(scope: Scope, id: string): { secret: string; secretSealed: Buffer } {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    return { secret, secretSealed: cipher.encrypt(Buffer.from(secret), endpointSecretPlace(scope, id)) };
  }

  async function withHours(db: Db, scope: Scope, endpoints: readonly Endpoint[]): Promise<ShownEndpoint[]> {
    const hours = await readHours(
      db,
      scope,
      endpoints.map(({ id }) => id),
    );
    return endpoints.map((endpoint) => ({
      ...shown(endpoint),
      hours: hours.filter(({ endpointId }) => endpointId === endpoint.id).map(({ endpointId: _endpoint, ...hour }) => hour),
    }));
  }

  return {
    async create({ scope, guard, shape }, input) {
      refuseUnusable(input);
      const id = newId();
      const { secret, secretSealed } = newSecret(scope, id);
      return frames.write(
        scope,
        async (db) => {
          const fresh = {
            id,
            url: input.url,
            eventTypes: input.eventTypes,
            description: input.description ?? null,
            enabled: input.enabled ?? true,
            ...sealedHeaders(scope, id, input.headers),
            rights: scope.rights,
            secretSealed,
            createdBy: actorRef(scope.provenance.actor),
          };
          const endpoint = await insertEndpoint(db, scope, fresh, MAX_ENDPOINTS);
          if (!endpoint) throw new AppError('STATE_CONFLICT', `There are ${MAX_ENDPOINTS} endpoints; delete one first`);
          await refreshHearing(db, scope);
          const { url, eventTypes, headerNames } = endpoint;
          await audit(db, { scope }, id, 'created', { url: originOf(url), eventTypes, headerNames });
          return { ...shown(endpoint), secret };
        },
        { guard, shape },
      );
    },

    async list({ scope }, { limit, cursor, with: extra }) {
      const list = { scope, operationId: 'listWebhookEndpoints', filters: { with: extra } };
      const after = cursors.open(cursor, list);
      return frames.read(scope, async (db) => {
        const page = cursors.page(await listEndpoints(db, scope, after, limit + 1), limit, list, ({ id }) => id);
        return extra === 'hours'
          ? { ...page, rows: await withHours(db, scope, page.rows) }
          : { ...page, rows: page.rows.map(shown) };
      });
    },

    read: ({ scope }, endpointId, hours) =>
      frames.read(scope, async (db) => {
        const endpoint = await requireEndpoint(findEndpoint(db, scope, endpointId));
        return (hours ? (await withHours(db, scope, [endpoint]))[0] : undefined) ?? shown(endpoint);
      }),

    async update({ scope, guard, shape }, endpointId, input) {
      refuseUnusable(input);
      return frames.write(
        scope,
        async (db) => {
          const before = await requireEndpoint(lockEndpoint(db, scope, endpointId));
          const wanted = {
            url: input.url ?? before.url,
            eventTypes: input.eventTypes ?? before.eventTypes,
            description: input.description === undefined ? before.description : input.description,
            enabled: input.enabled ?? before.enabled,
          };
          const fields: string[] = (['url', 'eventTypes', 'description', 'enabled'] as const).filter(
            (field) => JSON.stringify(wanted[field]) !== JSON.stringify(before[field]),
          );
          if (input.headers !== undefined) fields.push('headers');
          if (fields.length === 0) return shown(before);
          if (input.headers === undefined && before.headerNames.length > 0 && fields.includes('url')) {
            throw invalidField('headers', 'must be sent again with another address');
          }
          const headers =
            input.headers === undefined
              ? { headerNames: before.headerNames, headersSealed: undefined }
              : sealedHeaders(scope, endpointId, input.headers);
          const endpoint = await updateEndpoint(db, scope, endpointId, {
            ...wanted,
            ...headers,
            ...rightsAfter(
              before,
              scope,
              fields.some((field) => givesRights(field, wanted)),
            ),
          });
          await refreshHearing(db, scope);
          const moved = fields.includes('url') && { url: { from: originOf(before.url), to: originOf(wanted.url) } };
          await audit(db, { scope }, endpointId, 'updated', { fields, ...moved });
          return shown(endpoint);
        },
        { guard, shape },
      );
    },

    remove: ({ scope, guard, shape }, endpointId) =>
      frames.write(
        scope,
        async (db) => {
          if (!(await deleteEndpoint(db, scope, endpointId))) throw noSuchEndpoint();
          await refreshHearing(db, scope);
          await audit(db, { scope }, endpointId, 'deleted', {});
          return endpointId;
        },
        { guard, shape },
      ),

    async rotate({ scope, guard, shape }, endpointId, input) {
      const overlapHours = input?.overlapHours ?? DEFAULT_OVERLAP_HOURS;
      const { secret, secretSealed } = newSecret(scope, endpointId);
      return frames.write(
        scope,
        async (db) => {
          const endpoint = await requireEndpoint(rotateSecret(db, scope, endpointId, { secretSealed, overlapHours }));
          await audit(db, { scope }, endpointId, 'secret_rotated', { overlapHours });
          return { ...shown(endpoint), secret };
        },
        { guard, shape },
      );
    },
  };
}

type Rights = Pick<EndpointChange, 'rights' | 'rightsOf'>;

/** Who speaks for nobody of the tenant's leaves them as they are. */
function rightsAfter(before: Endpoint, { rights, provenance }: Caller, isGiven: boolean): Rights {
  const { actor } = provenance;
  const isOwn = actor.kind !== 'operator' && actor.kind !== 'system';
  return isGiven && isOwn ? { rights, rightsOf: actorRef(actor) } : { rights: before.rights, rightsOf: undefined };
}

/** What the audit log has of an address: a path or a query may be a secret. */
const originOf = (url: string): string => new URL(url).origin;

async function requireEndpoint(found: Promise<Endpoint | undefined>): Promise<Endpoint> {
  const endpoint = await found;
  if (!endpoint) throw noSuchEndpoint();
  return endpoint;
}

export function noSuchEndpoint(): AppError {
  return new AppError('NOT_FOUND', 'No such endpoint');
}

function audit(
  db: Db,
  { scope }: Pick<ActingContext, 'scope'>,
  objectId: string,
  deed: 'created' | 'updated' | 'deleted' | 'secret_rotated',
  details: Record<string, unknown>,
): Promise<void> {
  const action = `webhook_endpoint.${deed}`;
  return recordAudit(db, scope, { action, by: scope.provenance, objectKind: 'webhook_endpoint', objectId, details });
}
