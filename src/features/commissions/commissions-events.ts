/** What tenants are told of commissions. */
import { z } from 'zod';
import type { DeclaredEvents } from '../../house/events.ts';
import { amountMinorOut, currency, uuid } from '../../http/schemas.ts';
import { commissionResource } from './commissions-operations.ts';
import { MOST_IDS } from './open/cleared-parts.ts';

const lines = z.object({
  eventId: uuid.meta({ description: 'The event that made or changed them' }),
  commissions: z.array(commissionResource).meta({ description: 'As they stand behind it' }),
});

export const commissionsEvents: DeclaredEvents = {
  'commissions.created': {
    meaning: 'An event paid commissions: all its lines together. One with more than 100 is told in parts.',
    schema: lines,
    scope: 'commissions:read',
    parts: { of: 'commissions', items: 100 },
  },
  'commissions.cleared': {
    meaning: `Commissions of a member became payable: one for each member and batch, and for each ${MOST_IDS} lines of it.`,
    schema: z.object({
      userId: uuid.meta({ description: 'The member' }),
      totals: z
        .array(z.object({ currency, amountMinor: amountMinorOut }))
        .meta({ description: 'Of the lines named, by currency' }),
      commissionIds: z.array(uuid).max(MOST_IDS).meta({ description: 'The lines' }),
    }),
    scope: 'commissions:read',
  },
  'commissions.reversed': {
    meaning:
      'A refund, a lost dispute or a void took commissions back: the lines taken back, and those that take back. Nothing is said of other lines.',
    schema: lines,
    scope: 'commissions:read',
    parts: { of: 'commissions', items: 100 },
  },
  'commission.held': { meaning: 'A commission was put on hold, by a person or for a dispute.', shows: 'getCommission' },
  'commission.released': { meaning: 'A commission is on hold no more.', shows: 'getCommission' },
  'commission.voided': { meaning: 'A commission was taken back whole, by a person.', shows: 'getCommission' },
};
