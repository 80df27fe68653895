/** The member itself. Erasing it is not a part of the others' batch: its answer is the erasure's (UsersService.eraseMember). */
import { z } from 'zod';
import type { Personal } from '../../house/personal.ts';
import { currency, emailOut, timestamp, uuid } from '../../http/schemas.ts';
import { groupKeyOut } from '../groups/open/group-key.ts';
import { forgetFormerEmails } from './corrections-queries.ts';
import { memberStanding } from './open/member-resource.ts';
import { eraseHistoryReasons, formerEmailsJson, memberJson } from './personal-queries.ts';

const nullable = z.string().nullable();

export const usersPersonal: Personal = {
  erase: [forgetFormerEmails, ...eraseHistoryReasons].map(
    (statement) =>
      (scope, { memberId }) =>
        statement(scope, { memberId }),
  ),
  exported: [
    {
      name: 'member',
      schema: z.object({
        id: uuid,
        email: emailOut,
        name: nullable,
        externalId: nullable,
        membershipTier: z.string(),
        parentId: uuid.nullable(),
        isActive: z.boolean(),
        canRecruit: z.boolean(),
        isTestUser: z.boolean(),
        group: groupKeyOut,
        standing: memberStanding,
        joinedAt: timestamp.meta({ description: 'When it came to the tenant' }),
        payCurrency: currency,
        createdBy: nullable.meta({ description: 'The kind of who made the member' }),
        createdAt: timestamp,
        updatedAt: timestamp,
        erasedAt: timestamp.nullable(),
        erasureReason: nullable,
      }),
      json: memberJson,
    },
    {
      name: 'formerEmails',
      schema: z.array(z.object({ email: emailOut, replacedAt: timestamp })),
      json: formerEmailsJson,
    },
  ],
};
