/** What is held of how a member signs in. */
import { z } from 'zod';
import type { Personal } from '../../house/personal.ts';
import { timestamp, uuid } from '../../http/schemas.ts';
import { endSessions, eraseIdentities, identitiesOfMember, sessionsOfMember } from './personal-queries.ts';

export const authPersonal: Personal = {
  erase: [eraseIdentities, endSessions],
  exported: [
    {
      name: 'identities',
      schema: z.array(z.object({ id: uuid, providerId: z.string(), subject: z.string(), createdAt: timestamp })),
      list: identitiesOfMember,
    },
    {
      name: 'sessions',
      schema: z.array(z.object({ id: uuid, createdAt: timestamp, revokedAt: timestamp.nullable() })),
      list: sessionsOfMember,
    },
  ],
};
