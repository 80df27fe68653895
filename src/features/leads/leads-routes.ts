import { snakeList } from '../../http/pagination.ts';
import { type Route, route } from '../../http/route.ts';
import { memberBody } from '../users/open/member-resource.ts';
import { captureLead, convertLead, getLead, type LeadAnswer, listLeads, updateLead } from './leads-operations.ts';
import type { Lead } from './leads-queries.ts';
import type { LeadsService } from './leads-service.ts';

export function leadsRoutes(leads: LeadsService): Route[] {
  return [
    route(
      captureLead,
      ({ body, ...context }) => leads.captureLead(context, body),
      ({ lead, created }) => ({
        status: created ? 201 : 200,
        body: leadBody(lead),
      }),
    ),
    route(listLeads, ({ query, ...context }) => leads.listLeads(context, query), snakeList(leadBody)),
    route(
      getLead,
      ({ params, ...context }) => leads.readLead(context, params.lead_id),
      (lead) => ({ status: 200, body: leadBody(lead) }),
    ),
    route(
      updateLead,
      ({ params, body, ...context }) => leads.updateLead(context, params.lead_id, body),
      (lead) => ({ status: 200, body: leadBody(lead) }),
    ),
    route(
      convertLead,
      ({ params, body, ...context }) => leads.convertLead(context, params.lead_id, body),
      ({ lead, user }) => ({
        status: 201,
        body: { lead: leadBody(lead), user: memberBody(user) },
        headers: { Location: `/api/v1/users/${user.id}` },
      }),
    ),
  ];
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
    created_by: lead.createdBy,
    updated_by: lead.updatedBy,
    created_at: lead.createdAt,
    updated_at: lead.updatedAt,
  };
}
