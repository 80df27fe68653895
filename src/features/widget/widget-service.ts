/** Sessions of the widget as a tenant's backend begins and ends them. Source: docs/specification/widget.md#sessions. */
import type { z } from 'zod';
import { actorRef } from '../../actor.ts';
import type { Frames } from '../../db/frame.ts';
import type { Db } from '../../db/scope.ts';
import { AppError, type FieldFault, invalidFields } from '../../errors.ts';
import type { CallContext, Caller } from '../../http/operation.ts';
import type { OwnAddress } from '../../own-address.ts';
import { recordAudit } from '../audit/audit-service.ts';
import { allowedOriginOf } from './open/allowed-origin.ts';
import { WIDGET_SCOPES } from './open/widget-scopes.ts';
import type { createWidgetToken, refreshWidgetToken } from './widget-operations.ts';
import { endSessionRow, insertWidgetSession, insertWidgetToken, lockWidgetMember, lockWidgetSession } from './widget-queries.ts';
import { drawWidgetToken } from './widget-tokens.ts';

type Begin = z.output<(typeof createWidgetToken)['body'] & {}>;
type Refresh = z.output<(typeof refreshWidgetToken)['body'] & {}>;

const TTL_SECONDS = 900;

export interface GivenToken {
  widgetToken: string;
  expiresAt: Date;
  sessionId: string;
  embedUrl: string;
}

export interface WidgetService {
  /** Begins a session of a member, with its first token. VALIDATION_ERROR of an origin, USER_NOT_FOUND, STATE_CONFLICT of an inactive member. */
  begin(context: CallContext, input: Begin): Promise<GivenToken>;
  /** Another token of an open session. NOT_FOUND, STATE_CONFLICT of one that has ended. */
  refresh(context: CallContext, input: Refresh): Promise<GivenToken>;
  /** Ends a session; again it does nothing. Returns its id. NOT_FOUND. */
  end(context: CallContext, sessionId: string): Promise<string>;
}

export function createWidgetService({ frames, ownAddress }: { frames: Frames; ownAddress: OwnAddress }): WidgetService {
  async function give(db: Db, scope: Caller, sessionId: string, ttlSeconds = TTL_SECONDS): Promise<GivenToken> {
    const { token, hash } = drawWidgetToken();
    const createdBy = actorRef(scope.provenance.actor);
    const row = await db.row(insertWidgetToken(scope, { sessionId, hash, ttlSeconds, createdBy }));
    if (!row) throw new Error('the session of the token is not there');
    return {
      widgetToken: token,
      expiresAt: row.expiresAt,
      sessionId,
      embedUrl: `${ownAddress.url()}/widget/frame/${sessionId}`,
    };
  }

  return {
    async begin({ scope, guard, shape }, { userId, allowedOrigins, scopes, theme, ttlSeconds }) {
      const origins = originsOf(scope, allowedOrigins);
      return frames.write(
        scope,
        async (db) => {
          const member = await db.row(lockWidgetMember(scope, { memberId: userId }));
          if (!member) throw new AppError('USER_NOT_FOUND', 'No such member');
          if (!member.isActive) throw new AppError('STATE_CONFLICT', 'The member is not active');
          const session = await db.row(
            insertWidgetSession(scope, {
              memberId: userId,
              scopes: scopes ?? WIDGET_SCOPES,
              allowedOrigins: origins,
              theme: JSON.stringify(theme ?? {}),
              createdBy: actorRef(scope.provenance.actor),
            }),
          );
          if (!session) throw new Error('the session was not stored');
          return give(db, scope, session.id, ttlSeconds);
        },
        { guard, shape },
      );
    },

    refresh: ({ scope, guard, shape }, { sessionId, userId, ttlSeconds }) =>
      frames.write(
        scope,
        async (db) => {
          const session = await db.row(lockWidgetSession(scope, { sessionId }));
          if (!session || (userId ?? session.memberId) !== session.memberId) throw noSuchSession();
          if (!session.isOpen) throw new AppError('STATE_CONFLICT', 'The session has ended; begin another one');
          return give(db, scope, sessionId, ttlSeconds);
        },
        { guard, shape },
      ),

    end: ({ scope, guard, shape }, sessionId) =>
      frames.write(
        scope,
        async (db) => {
          const ended = await db.row(endSessionRow(scope, { sessionId }));
          if (!ended) throw noSuchSession();
          if (ended.wasOpen) {
            await recordAudit(db, scope, {
              action: 'widget_session.ended',
              by: scope.provenance,
              objectKind: 'widget_session',
              objectId: ended.id,
              details: { userId: ended.memberId },
            });
          }
          return ended.id;
        },
        { guard, shape },
      ),
  };
}

function noSuchSession(): AppError {
  return new AppError('NOT_FOUND', 'No such session');
}

function originsOf({ environment }: Caller, given: readonly string[]): string[] {
  const origins = new Set<string>();
  const faults: FieldFault[] = [];
  for (const [index, text] of given.entries()) {
    const origin = allowedOriginOf(text, environment);
    if (origin === undefined)
      faults.push({ field: `allowedOrigins[${index}]`, message: 'must be an origin, as https://shop.example' });
    else origins.add(origin);
  }
  if (faults.length > 0) throw invalidFields(faults);
  return [...origins];
}
