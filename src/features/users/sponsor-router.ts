import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import { moveMember } from './sponsor-operations.ts';
import type { SponsorService } from './sponsor-service.ts';

export function mountSponsor(router: Router, mount: Mount, sponsor: SponsorService): void {
  mount(router, moveMember, ({ params, body, ...context }) => sponsor.moveMember(context, params.userId, body));
}
