import { type Route, route } from '../../http/route.ts';
import { deleteSavedView, listSavedViews, saveView } from './saved-views-operations.ts';
import type { SavedViewsService } from './saved-views-service.ts';

export function savedViewsRoutes(views: SavedViewsService): Route[] {
  return [
    route(
      listSavedViews,
      ({ query, ...context }) => views.list(context, query.page),
      (data) => ({ status: 200, body: { data } }),
    ),
    route(
      saveView,
      ({ body, ...context }) => views.save(context, body),
      (view) => ({ status: 201, body: view }),
    ),
    route(
      deleteSavedView,
      ({ params, ...context }) => views.remove(context, params.viewId),
      (id) => ({ status: 200, body: { id, deleted: true as const } }),
    ),
  ];
}
