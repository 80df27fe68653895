import { type Route, route } from '../../http/route.ts';
import { moveMember } from './sponsor-operations.ts';
import type { SponsorService } from './sponsor-service.ts';

export function sponsorRoutes(sponsor: SponsorService): Route[] {
  return [route(moveMember, ({ params, body, ...context }) => sponsor.moveMember(context, params.userId, body))];
}
