/** Rules of leads: one per email, first attribution kept. */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import type { RequestContext } from '../../http/operation.ts';
import { normaliseEmail } from '../../http/schemas.ts';
import type { captureLead } from './leads-operations.ts';
import { type Lead, upsertLead } from './leads-queries.ts';

type Capture = z.output<(typeof captureLead)['body'] & {}>;

export interface LeadsService {
  /** Captures a lead, or fills the blanks of the one with this email. */
  captureLead(context: RequestContext, input: Capture): Promise<{ lead: Lead; created: boolean }>;
}

export function createLeadsService({ frames }: { frames: Frames }): LeadsService {
  return {
    captureLead: ({ scope, guard }, input) =>
      frames.write(
        scope,
        (db) =>
          upsertLead(db, scope, {
            email: normaliseEmail(input.email),
            name: input.name ?? null,
            phone: input.phone ?? null,
            referralCode: input.referral_code ?? null,
            source: input.source ?? null,
            utmSource: input.utm_source ?? null,
            utmMedium: input.utm_medium ?? null,
            utmCampaign: input.utm_campaign ?? null,
            clickId: input.click_id ?? null,
          }),
        { guard, repeatable: true },
      ),
  };
}
