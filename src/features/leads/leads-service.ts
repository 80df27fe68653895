/** Rules of leads: one per email, first attribution kept. */
import type { z } from 'zod';
import type { Frames, Scope, WriteDb } from '../../db/frame.ts';
import type { RequestContext } from '../../http/operation.ts';
import { normaliseEmail } from '../../http/schemas.ts';
import type { captureLead } from './leads-operations.ts';
import { type Lead, upsertLead } from './leads-queries.ts';

export type Capture = z.output<(typeof captureLead)['body'] & {}>;

export interface LeadsService {
  /** Captures a lead, or fills the blanks of the one with this email. */
  captureLead(context: RequestContext, input: Capture): Promise<{ lead: Lead; created: boolean }>;
  /** The same inside the caller's transaction. */
  captureWithin(db: WriteDb, scope: Scope, input: Capture): Promise<{ lead: Lead; created: boolean }>;
}

export function createLeadsService({ frames }: { frames: Frames }): LeadsService {
  function captureWithin(db: WriteDb, scope: Scope, input: Capture): Promise<{ lead: Lead; created: boolean }> {
    return upsertLead(db, scope, {
      email: normaliseEmail(input.email),
      name: input.name ?? null,
      phone: input.phone ?? null,
      referralCode: input.referral_code ?? null,
      source: input.source ?? null,
      utmSource: input.utm_source ?? null,
      utmMedium: input.utm_medium ?? null,
      utmCampaign: input.utm_campaign ?? null,
      clickId: input.click_id ?? null,
    });
  }

  return {
    captureWithin,
    captureLead: ({ scope, guard }, input) =>
      frames.write(scope, (db) => captureWithin(db, scope, input), { guard, repeatable: true }),
  };
}
