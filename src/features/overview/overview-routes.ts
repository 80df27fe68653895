import { type Route, route } from '../../http/route.ts';
import { getOverview } from './overview-operations.ts';
import type { OverviewService } from './overview-service.ts';
import { searchAll } from './search-operations.ts';
import type { SearchService } from './search-service.ts';

export function overviewRoutes(overview: OverviewService, search: SearchService): Route[] {
  return [
    route(getOverview, ({ query, ...context }) => overview.read(context, query)),
    route(searchAll, ({ query, ...context }) => search.search(context, query.q)),
  ];
}
