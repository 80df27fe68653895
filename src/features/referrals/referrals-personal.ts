/** What is held of a member's referring: its codes and its links. */
import { z } from 'zod';
import type { Personal } from '../../house/personal.ts';
import { timestamp, uuid } from '../../http/schemas.ts';
import { codesJson, eraseClicks, eraseCodes, eraseLinks, linksOfMember } from './personal-queries.ts';

export const referralsPersonal: Personal = {
  eraseBefore: eraseClicks,
  erase: [eraseLinks, eraseCodes],
  exported: [
    {
      name: 'referralCodes',
      schema: z.array(z.object({ code: z.string(), status: z.string(), createdAt: timestamp })),
      json: codesJson,
    },
    {
      name: 'referralLinks',
      schema: z
        .array(
          z.object({
            id: uuid,
            slug: z.string(),
            destinationUrl: z.string(),
            name: z.string().nullable(),
            status: z.string(),
            expiresAt: timestamp.nullable(),
            createdAt: timestamp,
          }),
        )
        .meta({ description: 'With those that were deleted' }),
      list: linksOfMember,
    },
  ],
};
