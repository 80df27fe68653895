/**
 * Who looks at a widget: what a token stands for, as the caller of what its pages read. The caller is the member, and
 * reaches what a member's bearer token would, of the pages that the session has. Source: docs/specification/widget.md#reads.
 */
import type { Request, Response } from 'express';
import { actorRef } from '../../actor.ts';
import { locateWidgetToken } from '../../db/cross-tenant-lookups.ts';
import type { Frames } from '../../db/frame.ts';
import type { Environment, Scope } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import type { Caller, KeyScope } from '../../http/operation.ts';
import type { CountAddress } from '../../http/rate-limit.ts';
import { requestIdOf } from '../../http/request-log.ts';
import { type OpenSession, readOpenSession } from './widget-queries.ts';
import { hashOfWidgetToken } from './widget-tokens.ts';

/** A session that was ended, and one whose member is not active any more, is refused on every instance within this time. */
const CACHE_MS = 900;
const CACHE_MAX = 10_000;

export interface WidgetSession extends OpenSession {
  id: string;
  tenantId: string;
  environment: Environment;
  /** Of the token that came. */
  expiresAt: Date;
}

export interface WidgetAccess {
  /** The session of the request's token. UNAUTHORIZED without one, INVALID_TOKEN, RATE_LIMITED. */
  authenticate(req: Request, res: Response): Promise<WidgetSession>;
  /** The member as the caller of what a page reads, with the rights that this takes and no others. */
  callerOf(session: WidgetSession, rights: readonly KeyScope[], page: string, req: Request, res: Response): Caller;
}

interface Deps {
  frames: Frames;
  /** Counts a token that opens nothing against its address. */
  countBad: CountAddress;
}

export function createWidgetAccess({ frames, countBad }: Deps): WidgetAccess {
  const cache = new Map<string, { until: number; session: Promise<WidgetSession | undefined> }>();

  async function look(hash: Buffer): Promise<WidgetSession | undefined> {
    const [token] = await frames.unscoped(locateWidgetToken({ hash }));
    if (!token) return undefined;
    const { tenant_id: tenantId, environment, session_id: id, expires_at: expiresAt } = token;
    const scope: Scope = { tenantId, environment };
    const [session] = await frames.readOnce(scope, readOpenSession(scope, { sessionId: id }));
    return session && { ...session, id, tenantId, environment, expiresAt };
  }

  async function find(token: string): Promise<WidgetSession | undefined> {
    const hash = hashOfWidgetToken(token);
    if (!hash) return undefined;
    const key = hash.toString('base64');
    const now = performance.now();
    let entry = cache.get(key);
    if (!entry || entry.until <= now) {
      if (cache.size >= CACHE_MAX) cache.clear();
      const made = { until: now + CACHE_MS, session: look(hash) }; // the time runs from before the lookup, so the answer is never older
      entry = made;
      cache.set(key, made);
      const drop = (): void => {
        if (cache.get(key) === made) cache.delete(key);
      };
      made.session.then((found) => found ?? drop(), drop);
    }
    const session = await entry.session;
    return session && session.expiresAt.getTime() > Date.now() ? session : undefined;
  }

  return {
    async authenticate(req, res) {
      const authorization = req.get('authorization');
      if (authorization === undefined) throw new AppError('UNAUTHORIZED', 'Send the widget token: Authorization: Bearer mwt_…');
      const token = /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? '';
      const session = await find(token);
      if (session) return session;
      // Nobody guesses one, and whoever shares an address with somebody who tries goes on.
      await countBad(req, res);
      throw new AppError('INVALID_TOKEN', 'The widget token is not good, or not any more');
    },

    callerOf({ id, tenantId, environment, memberId }, rights, page, req, res) {
      const actor = { kind: 'member', id: memberId } as const;
      return {
        tenantId,
        environment,
        provenance: { actor, operationId: `widget ${page}`, requestId: requestIdOf(res), ip: req.ip ?? null },
        rights,
        root: actorRef(actor),
        member: { memberId, sessionId: id },
      };
    },
  };
}
