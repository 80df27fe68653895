/**
 * What the audit log holds of a member. The entries are exported, and stay when the member is erased; the addresses that
 * the member's own calls came from go.
 */
import { z } from 'zod';
import type { Personal } from '../../house/personal.ts';
import { timestamp, uuid } from '../../http/schemas.ts';
import { addressesOfMember, entriesOnMember } from './personal-queries.ts';
import { forgetOriginsOf } from './retention-queries.ts';

export const auditPersonal: Personal = {
  erase: [(scope, { memberId }) => forgetOriginsOf(scope, { memberId })],
  exported: [
    {
      name: 'auditEntries',
      schema: z
        .array(
          z.object({
            id: uuid,
            action: z.string(),
            actor: z.object({
              kind: z.string(),
              id: z.string().nullable().meta({ description: 'Null but for the member itself' }),
            }),
            operationId: z.string().nullable(),
            details: z.record(z.string(), z.unknown()),
            createdAt: timestamp,
          }),
        )
        .meta({ description: 'On the member and on its verification' }),
      list: entriesOnMember,
    },
    {
      name: 'auditAddresses',
      schema: z
        .array(z.object({ entryId: uuid, action: z.string(), ip: z.string(), createdAt: timestamp }))
        .meta({ description: "Where the member's own calls came from that the audit log tells of, while it is kept" }),
      list: addressesOfMember,
    },
  ],
};
