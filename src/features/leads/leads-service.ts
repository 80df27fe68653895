/**
 * Rules of leads: one per email, first attribution kept, and a life that ends once.
 * Source: docs/specification/attribution.md#leads.
 */
import type { z } from 'zod';
import type { ActingScope } from '../../actor.ts';
import type { Frames } from '../../db/frame.ts';
import type { Db, WriteDb } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import type { ActingContext, RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { normaliseEmail } from '../../http/schemas.ts';
import type { AttributionQuery, AttributionService, DecidedAttribution } from '../attribution/attribution-service.ts';
import { contentKeyOf } from '../attribution/open/content-key.ts';
import { receiptOf } from '../attribution/open/receipt.ts';
import { recordAudit } from '../audit/audit-service.ts';
import type { Member } from '../users/open/member.ts';
import { withFreshCode } from '../users/open/referral-code.ts';
import type { Asked, UsersService } from '../users/users-service.ts';
import { tell } from '../webhooks/webhooks-service.ts';
import { type CaptureOutcome, storeCapture } from './capture-queries.ts';
import { type LeadStatus, mayBecome } from './lead-status.ts';
import type { convertLead, listLeads as listLeadsOperation, updateLead as updateLeadOperation } from './leads-operations.ts';
import {
  findLead,
  type JudgedLead,
  type Lead,
  listLeads,
  lockEmailOf,
  lockLead,
  lockLeadEmail,
  updateLead,
} from './leads-queries.ts';
import type { Capture } from './open/capture.ts';

type List = z.output<(typeof listLeadsOperation)['query'] & {}>;
type Update = z.output<(typeof updateLeadOperation)['body'] & {}>;
type Convert = z.output<(typeof convertLead)['body'] & {}>;

export interface LeadsService {
  /** Captures a lead, or fills the blanks of the one with this email. A member's is converted, and not called created. */
  captureLead(context: ActingContext, input: Capture): Promise<{ lead: Lead; created: boolean }>;
  /** The same inside the caller's transaction. */
  captureWithin(db: WriteDb, scope: ActingScope, input: Capture): Promise<{ lead: Lead; created: boolean }>;
  listLeads(context: RequestContext, query: List): Promise<Page<Lead>>;
  /** NOT_FOUND. */
  readLead(context: RequestContext, leadId: string): Promise<Lead>;
  /** NOT_FOUND; STATE_CONFLICT, which changes nothing. */
  updateLead(context: ActingContext, leadId: string, input: Update): Promise<Lead>;
  /**
   * Makes a member of the lead, under its referrer. NOT_FOUND; STATE_CONFLICT when it is converted, disqualified
   * or expired, or has become so meanwhile; EMAIL_EXISTS, EXTERNAL_ID_EXISTS, RECRUITING_DISABLED.
   */
  convertLead(context: ActingContext, leadId: string, input: Convert): Promise<{ lead: Lead; user: Member }>;
}

interface Parts {
  frames: Frames;
  cursors: Cursors;
  attribution: AttributionService;
  users: Pick<UsersService, 'insertMember' | 'namingHolder'>;
}

export function createLeadsService({ frames, cursors, attribution, users }: Parts): LeadsService {
  async function capture(db: WriteDb, scope: ActingScope, input: Capture): Promise<{ lead: Lead; created: boolean }> {
    const email = normaliseEmail(input.email);
    db.listen();
    const [, decided] = await Promise.all([
      db.rows(lockLeadEmail(scope, email)),
      attribution.decide(db, scope, candidatesOf(email, input)),
    ]);
    const said = {
      email,
      name: input.name ?? null,
      phone: input.phone ?? null,
      source: input.source ?? null,
      utmSource: input.utm_source ?? null,
      utmMedium: input.utm_medium ?? null,
      utmCampaign: input.utm_campaign ?? null,
      clickId: input.click_id ?? null,
    };
    const { lead, created, type } = await storeCapture(db, scope, said, outcomeOf(decided), scope.provenance.actor);
    if (type !== null) tell(db, scope.provenance, type, lead.id);
    return { lead, created };
  }

  async function convert({ scope, guard, shape }: ActingContext, leadId: string, input: Convert, asked: Asked) {
    return frames.write(
      scope,
      async (db) => {
        const [, found] = await Promise.all([db.rows(lockEmailOf(scope, leadId)), findLead(db, scope, leadId)]);
        const { lead, status } = requireLead(found);
        if (!mayBecome(status, 'converted')) throw new AppError('STATE_CONFLICT', `The lead is ${status}`);
        asked.email = lead.email;
        // The insert converts the lead by its email. Its row is not locked before: that would be the other way round than there.
        const user = await users.insertMember(
          db,
          scope,
          {
            ...input,
            email: lead.email,
            name: input?.name ?? lead.name,
          },
          { by: 'converted', emailVerified: true, actor: scope.provenance.actor },
        );
        const converted = requireLead(await findLead(db, scope, leadId));
        if (converted.lead.convertedUserId !== user.id) {
          throw new AppError('STATE_CONFLICT', `The lead has become ${converted.status}`);
        }
        await noteChange(db, scope, leadId, { action: 'lead.converted', memberId: user.id });
        return { lead: converted.lead, user };
      },
      { guard, shape },
    );
  }

  return {
    captureWithin: capture,
    captureLead: ({ scope, guard, shape }, input) =>
      frames.write(scope, (db) => capture(db, scope, input), { guard, shape, repeatable: true }),

    async listLeads({ scope }, { limit, cursor, sort, ...query }) {
      const filters = {
        email: query.email === undefined ? undefined : normaliseEmail(query.email),
        status: query.conversion_status,
        referrerUserId: query.referrer_user_id,
        source: query.source,
        createdFrom: query.created_from,
        createdTo: query.created_to,
      };
      const list = { scope, operationId: 'listLeads', filters: { ...filters, sort } };
      const afterId = cursors.open(cursor, list);
      const rows = await frames.read(scope, (db) => listLeads(db, scope, filters, afterId, limit + 1, sort));
      return cursors.page(rows, limit, list, (lead) => lead.id);
    },

    readLead: ({ scope }, leadId) => frames.read(scope, async (db) => requireLead(await findLead(db, scope, leadId)).lead),

    updateLead: ({ scope, guard, shape }, leadId, { conversion_status: wanted, name, phone, source }) =>
      frames.write(
        scope,
        async (db) => {
          const { lead, status } = requireLead(await lockLead(db, scope, leadId));
          if (wanted !== undefined) requireChange(status, wanted);
          const changes = { name, phone, source, status: wanted };
          const changed = await updateLead(db, scope, leadId, changes, scope.provenance.actor);
          const fields = CHANGEABLE.filter(([name]) => changed[name] !== lead[name]).map(([, field]) => field);
          if (fields.length > 0) tell(db, scope.provenance, 'lead.updated', leadId);
          if (fields.length > 0) await noteChange(db, scope, leadId, { action: 'lead.updated', fields });
          return changed;
        },
        { guard, shape },
      ),

    convertLead(context, leadId, input) {
      const asked: Asked = { externalId: input?.external_id };
      return users.namingHolder(context.scope, asked, () => withFreshCode(() => convert(context, leadId, input, asked)));
    },
  };
}

/** By their names in the API. */
const CHANGEABLE = [
  ['name', 'name'],
  ['phone', 'phone'],
  ['source', 'source'],
  ['conversionStatus', 'conversion_status'],
] as const;

function noteChange(
  db: Db,
  scope: ActingScope,
  leadId: string,
  { action, ...details }: { action: string; fields?: string[]; memberId?: string },
): Promise<void> {
  return recordAudit(db, scope, { action, by: scope.provenance, objectKind: 'lead', objectId: leadId, details });
}

function requireLead(found: JudgedLead | undefined): JudgedLead {
  if (!found) throw new AppError('NOT_FOUND', 'No such lead');
  return found;
}

function requireChange(status: LeadStatus, wanted: LeadStatus): void {
  if (wanted === status) return;
  if (wanted === 'converted' && mayBecome(status, wanted)) {
    throw new AppError('STATE_CONFLICT', 'A lead is converted by POST /api/v1/leads/{lead_id}/convert');
  }
  if (!mayBecome(status, wanted)) throw new AppError('STATE_CONFLICT', `The lead is ${status} and cannot become ${wanted}`);
}

function candidatesOf(email: string, input: Capture): AttributionQuery {
  return {
    subject: 'lead',
    asOf: null,
    explicitUserId: null,
    referralCode: input.referral_code ?? null,
    linkId: null,
    clickId: input.click_id ?? null,
    leadId: null,
    customerExternalId: null,
    emailNorm: email,
    buyerId: null,
  };
}

/** The referrer that the lead has is told of only beside somebody else who was named. */
function outcomeOf(decided: DecidedAttribution): CaptureOutcome {
  const { attribution, leadExpiryDays, emailMemberId: memberId } = decided;
  // Nobody refers a person who is a member: under whom it stands was decided as it became one.
  if (memberId !== null) return { referrerUserId: null, referralCode: null, leadExpiryDays: null, memberId, receipt: undefined };
  const { winner } = attribution;
  const found = winner && winner.source !== 'standing' ? winner : undefined;
  const receipt = receiptOf(decided, winner?.memberId ?? null);
  const isNamed = receipt.candidates.some(({ source }) => source !== 'standing');
  return {
    referrerUserId: found?.memberId ?? null,
    referralCode: found?.source === 'referral_code' ? found.reference : null,
    leadExpiryDays,
    memberId,
    receipt: isNamed ? { ...receipt, contentKey: contentKeyOf(receipt) } : undefined,
  };
}
