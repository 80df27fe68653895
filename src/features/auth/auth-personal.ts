/** What is held of how a member signs in. */
import { z } from 'zod';
import type { Personal } from '../../house/personal.ts';
import { timestamp, uuid } from '../../http/schemas.ts';
import {
  endSessions,
  eraseCutoff,
  eraseIdentities,
  exchangedTokensOf,
  identitiesOfMember,
  sessionsEndedAt,
  sessionsOfMember,
} from './personal-queries.ts';

export const authPersonal: Personal = {
  // A token that has begun a session stays known: it begins no other one.
  erase: [eraseIdentities, endSessions, eraseCutoff],
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
    {
      name: 'exchangedTokens',
      schema: z.array(z.object({ sessionId: uuid, exchanges: z.int(), expiresAt: timestamp })),
      list: exchangedTokensOf,
    },
    {
      name: 'sessionsEndedAt',
      schema: timestamp.nullable(),
      json: sessionsEndedAt,
    },
  ],
};
