/** The public contract of widgets: docs/specification/widget.md#sessions. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { text, timestamp, uuid } from '../../http/schemas.ts';
import { WIDGET_SCOPES } from './open/widget-scopes.ts';
import { widgetTheme } from './widget-theme.ts';

const MOST_ORIGINS = 10;

const ttlSeconds = z.int().min(300).max(3600).optional().meta({ description: 'How long the token is good for. Default 900' });

const givenToken = z
  .object({
    widgetToken: z.string().meta({ description: 'For the page that frames the widget. It is shown once' }),
    expiresAt: timestamp.meta({ description: 'Of the token' }),
    sessionId: uuid.meta({ description: 'Of the widget, for refreshing and ending it' }),
    embedUrl: z.string().meta({ description: 'The address of the frame. It opens nothing by itself' }),
  })
  .meta({ id: 'WidgetToken' });

export const createWidgetToken = defineOperation({
  method: 'post',
  path: '/api/v1/widget/tokens',
  operationId: 'createWidgetToken',
  group: 'Widget',
  summary: 'Begin a session of the widget for a member',
  description:
    "The member's own pages in a frame on the tenant's. The session lasts 12 hours at most, and ends with the member's erasure or deactivation. An Idempotency-Key is ignored: each call begins a session of its own.",
  scope: 'widget:write',
  hands: 'neutral',
  repeats: 'own',
  body: z
    .strictObject({
      userId: uuid.meta({ description: 'Who looks at the widget' }),
      allowedOrigins: z.array(text(300)).min(1).max(MOST_ORIGINS).meta({
        description:
          'Where it may be framed, as `https://shop.example`; in SANDBOX also `http://localhost` and `http://127.0.0.1` with any port, or `*` for all ports',
      }),
      scopes: z
        .array(z.enum(WIDGET_SCOPES))
        .min(1)
        .max(WIDGET_SCOPES.length)
        .refine((scopes) => new Set(scopes).size === scopes.length, 'must not hold one twice')
        .optional()
        .meta({
          description:
            'The pages that it shows: `summary`: the balance; `links`; `earnings`: commissions with their reasons; `team`: the downline. Default all',
          uniqueItems: true,
        }),
      theme: widgetTheme.optional().meta({ description: 'How the widget looks; default the built-in look' }),
      ttlSeconds,
    })
    .meta({
      example: {
        userId: '0198c5a2-3d4e-7f60-8a1b-2c3d4e5f6071',
        allowedOrigins: ['https://shop.example'],
        theme: { accent: '#0a7d4b' },
      },
    }),
  success: [{ status: 201, meaning: 'Begun' }],
  response: givenToken,
  errors: ['USER_NOT_FOUND', 'STATE_CONFLICT'],
});

export const refreshWidgetToken = defineOperation({
  method: 'post',
  path: '/api/v1/widget/tokens/refresh',
  operationId: 'refreshWidgetToken',
  group: 'Widget',
  summary: 'Another token of a session',
  description: 'Those before stay good until they expire. None is good for longer than the session.',
  scope: 'widget:write',
  hands: 'neutral',
  repeats: 'own',
  body: z
    .strictObject({
      sessionId: uuid.meta({ description: 'The session to go on with' }),
      userId: uuid.optional().meta({
        description: "Who asks, where the session's id came from a browser: another's session is 404 `NOT_FOUND`",
      }),
      ttlSeconds,
    })
    .meta({ example: { sessionId: '0198c5a2-3d4e-7f60-8a1b-2c3d4e5f6071' } }),
  success: [{ status: 200, meaning: 'Another token' }],
  response: givenToken,
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
});

export const endWidgetSession = defineOperation({
  method: 'delete',
  path: '/api/v1/widget/tokens/{sessionId}',
  operationId: 'endWidgetSession',
  group: 'Widget',
  summary: 'End a session of the widget',
  description: 'No token of it opens anything any more, on every instance within a second. Of one that has ended: once more 200.',
  scope: 'widget:write',
  hands: 'neutral',
  params: z.strictObject({ sessionId: uuid.meta({ description: 'Id of the session' }) }),
  success: [{ status: 200, meaning: 'Ended' }],
  response: z.object({
    sessionId: uuid.meta({ description: 'The session' }),
    ended: z.literal(true).meta({ description: 'It has ended, now or before' }),
  }),
  errors: ['NOT_FOUND'],
});
