/** Members' own pages in a frame on their tenants' sites: sessions, tokens, the frame and what it reads. */
import { z } from 'zod';
import { defineFeature } from '../../house/feature.ts';
import { frameRoutes } from './frame-routes.ts';
import { readRoutes } from './read-routes.ts';
import { TIDIED, TIDY, tidyWidget } from './tidy-widget.ts';
import { createWidgetAccess } from './widget-access.ts';
import { widgetPersonal } from './widget-personal.ts';
import { widgetRoutes } from './widget-routes.ts';
import { createWidgetService } from './widget-service.ts';

/** A minute, from one address. */
const BAD_TOKENS = 120;

export const widgetFeature = defineFeature({
  name: 'widget',
  groups: { Widget: "Sessions of the members' widget" },
  scopes: {
    'widget:write': "Begin, renew and end the sessions of members' widgets, which show what a member may see and make its links",
  },
  env: {
    RATE_LIMIT_WIDGET: z.coerce.number().int().min(1).default(240).describe('Requests of one session of the widget per window'),
    RATE_LIMIT_WIDGET_FRAMES: z.coerce
      .number()
      .int()
      .min(1)
      .default(1_200)
      .describe('Frames of the widget that one client address opens per window'),
  },
  personal: widgetPersonal,
  growsWith: 'members',
  tables: ['widget_token', 'widget_session'],
  due: {
    [TIDY]: Object.entries(TIDIED).map(([table, { at, after }]) => ({ table, at, after, clock: 'database' as const })),
  },
  open({ env, frames, invoke, ownAddress, places, rateLimits }) {
    const access = createWidgetAccess({
      frames,
      countBad: rateLimits.byAddress({
        name: 'widget-token',
        limit: BAD_TOKENS,
        alert: 'too many bad widget tokens from one address',
      }),
    });
    const countFrame = rateLimits.byAddress({ name: 'widget-frame', limit: env.RATE_LIMIT_WIDGET_FRAMES });
    const countSession = rateLimits.bySubject({ name: 'widget', limit: env.RATE_LIMIT_WIDGET, what: 'requests of a widget' });
    return {
      offers: {},
      routes: [
        ...widgetRoutes(createWidgetService({ frames, ownAddress })),
        ...frameRoutes({ frames, countFrame }),
        ...readRoutes({ frames, invoke, places, access, countSession }),
      ],
      sweeps: [tidyWidget],
    };
  },
});
