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
      schema: z
        .array(
          z.object({
            id: uuid.meta({ description: 'Of the link' }),
            providerId: z.string().meta({ description: 'The provider, as the exchange calls it' }),
            subject: z.string().meta({ description: 'The `sub` of its tokens' }),
            createdAt: timestamp.meta({ description: 'When it was linked' }),
          }),
        )
        .meta({ description: 'Persons at identity providers that the member is linked to' }),
      list: identitiesOfMember,
    },
    {
      name: 'sessions',
      schema: z
        .array(
          z.object({
            id: uuid.meta({ description: 'Of the session' }),
            createdAt: timestamp.meta({ description: 'When it was begun' }),
            revokedAt: timestamp.nullable().meta({ description: 'When it was ended; null: it was not' }),
          }),
        )
        .meta({ description: 'What came of exchanges' }),
      list: sessionsOfMember,
    },
    {
      name: 'exchangedTokens',
      schema: z
        .array(
          z.object({
            sessionId: uuid.meta({ description: 'What the token has begun' }),
            exchanges: z.int().meta({ description: 'How often the token was exchanged' }),
            expiresAt: timestamp.meta({ description: 'When the token ends' }),
          }),
        )
        .meta({ description: 'Provider tokens that were exchanged, without the tokens' }),
      list: exchangedTokensOf,
    },
    {
      name: 'sessionsEndedAt',
      schema: timestamp
        .nullable()
        .meta({ description: 'Provider tokens issued by then begin no session; null: none were cut off' }),
      json: sessionsEndedAt,
    },
  ],
};
