import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import { captureLead, type LeadAnswer } from './leads-operations.ts';
import type { Lead } from './leads-queries.ts';
import type { LeadsService } from './leads-service.ts';

export function mountLeads(router: Router, mount: Mount, leads: LeadsService): void {
  mount(
    router,
    captureLead,
    ({ body, ...context }) => leads.captureLead(context, body),
    ({ lead, created }) => ({
      status: created ? 201 : 200,
      body: leadBody(lead),
    }),
  );
}

function leadBody(lead: Lead): LeadAnswer {
  return {
    id: lead.id,
    email: lead.email,
    name: lead.name,
    phone: lead.phone,
    referrer_user_id: lead.referrerUserId,
    conversion_status: lead.conversionStatus,
    source: lead.source,
    utm_source: lead.utmSource,
    utm_medium: lead.utmMedium,
    utm_campaign: lead.utmCampaign,
    click_id: lead.clickId,
    created_at: lead.createdAt,
  };
}
