/** Leads: captured with whoever referred them, converted to members, expired. */
import { defineFeature } from '../../house/feature.ts';
import type { AttributionService } from '../attribution/attribution-service.ts';
import type { UsersService } from '../users/users-service.ts';
import { expireLeads } from './expire-leads.ts';
import { leadsEvents } from './leads-events.ts';
import { leadsPersonal } from './leads-personal.ts';
import { leadsRoutes } from './leads-routes.ts';
import { createLeadsService } from './leads-service.ts';

export const leadsFeature = defineFeature({
  name: 'leads',
  events: leadsEvents,
  personal: leadsPersonal,
  scopes: { 'leads:read': 'Read leads', 'leads:write': 'Capture, change and convert leads' },
  groups: { Leads: 'Persons who may become members, with who referred them' },
  growsWith: 'members',
  tables: ['lead'],
  due: {
    'expire-leads': [
      { table: 'lead', where: "conversion_status in ('captured', 'qualified')", at: 'expires_at', clock: 'scope' },
    ],
  },
  open({ frames, cursors }, { users, attribution }: { users: UsersService; attribution: AttributionService }) {
    const leads = createLeadsService({ frames, cursors, attribution, users });
    return { offers: leads, routes: leadsRoutes(leads), sweeps: [expireLeads] };
  },
});
