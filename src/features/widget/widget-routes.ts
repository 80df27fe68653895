import { type Route, route } from '../../http/route.ts';
import { createWidgetToken, endWidgetSession, refreshWidgetToken } from './widget-operations.ts';
import type { WidgetService } from './widget-service.ts';

export function widgetRoutes(widgets: WidgetService): Route[] {
  return [
    route(
      createWidgetToken,
      ({ body, ...context }) => widgets.begin(context, body),
      (given) => ({ status: 201, body: given }),
    ),
    route(
      refreshWidgetToken,
      ({ body, ...context }) => widgets.refresh(context, body),
      (given) => ({ status: 200, body: given }),
    ),
    route(
      endWidgetSession,
      ({ params, ...context }) => widgets.end(context, params.sessionId),
      (sessionId) => ({ status: 200, body: { sessionId, ended: true as const } }),
    ),
  ];
}
