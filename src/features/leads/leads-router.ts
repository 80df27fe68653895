import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import { memberBody } from '../users/member-resource.ts';
import { captureLead, convertLead, getLead, type LeadAnswer, listLeads, updateLead } from './leads-operations.ts';
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
  mount(
    router,
    listLeads,
    ({ query, ...context }) => leads.listLeads(context, query),
    ({ rows, nextCursor }) => ({
      status: 200,
      body: { data: rows.map(leadBody), has_more: nextCursor !== null, next_cursor: nextCursor },
    }),
  );
  mount(
    router,
    getLead,
    ({ params, ...context }) => leads.readLead(context, params.lead_id),
    (lead) => ({ status: 200, body: leadBody(lead) }),
  );
  mount(
    router,
    updateLead,
    ({ params, body, ...context }) => leads.updateLead(context, params.lead_id, body),
    (lead) => ({ status: 200, body: leadBody(lead) }),
  );
  mount(
    router,
    convertLead,
    ({ params, body, ...context }) => leads.convertLead(context, params.lead_id, body),
    ({ lead, user }) => ({
      status: 201,
      body: { lead: leadBody(lead), user: memberBody(user) },
      headers: { Location: `/api/v1/users/status?user_id=${user.id}` },
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
    attribution_rule: lead.attributionRule,
    attribution_receipt_id: lead.receiptId,
    conversion_status: lead.conversionStatus,
    converted_user_id: lead.convertedUserId,
    source: lead.source,
    utm_source: lead.utmSource,
    utm_medium: lead.utmMedium,
    utm_campaign: lead.utmCampaign,
    click_id: lead.clickId,
    expires_at: lead.expiresAt,
    created_at: lead.createdAt,
    updated_at: lead.updatedAt,
  };
}
