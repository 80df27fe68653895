/** What is held of a person as a lead, and of those that a member referred. */
import { z } from 'zod';
import type { Personal } from '../../house/personal.ts';
import { emailOut, timestamp, uuid } from '../../http/schemas.ts';
import { eraseCodesOfLeads, eraseLeads, leadsOfPersonJson, leadsReferred, lockLeads } from './personal-queries.ts';

const nullable = z.string().nullable();

export const leadsPersonal: Personal = {
  lock: [lockLeads],
  erase: [eraseLeads, eraseCodesOfLeads],
  exported: [
    {
      name: 'leads',
      schema: z
        .array(
          z.object({
            id: uuid,
            email: emailOut,
            name: nullable,
            phone: nullable,
            source: nullable,
            utmSource: nullable,
            utmMedium: nullable,
            utmCampaign: nullable,
            clickId: nullable,
            conversionStatus: z.string(),
            createdAt: timestamp,
          }),
        )
        .meta({ description: 'What was captured of the member itself' }),
      json: leadsOfPersonJson,
    },
    {
      name: 'leadsReferred',
      schema: z.array(z.object({ id: uuid, createdAt: timestamp })).meta({ description: "Others' data is theirs" }),
      list: leadsReferred,
    },
  ],
};
