/** A candidate of an attribution as answers show it, in receipts and in explanations alike. */
import { z } from 'zod';
import { timestamp, uuid } from '../../../http/schemas.ts';
import { CANDIDATE_SOURCES, CANDIDATE_STATES } from './decide-attribution.ts';
import { WHY_LOST } from './lost-reasons.ts';
import type { StoredCandidate } from './receipt.ts';

export const candidates = z
  .array(
    z.object({
      source: z.enum(CANDIDATE_SOURCES).meta({ description: 'Where it came from; null: not said' }),
      reference: z.string().meta({
        description: 'What was named: a code, or the id of a member, link, lead, click or customer',
      }),
      user_id: uuid.nullable().meta({ description: 'Whom it leads to' }),
      active: z.boolean().nullable().meta({ description: 'Whether that member was active then' }),
      state: z.enum(CANDIDATE_STATES).meta({ description: 'How it was found; only what is `usable` can win' }),
      at: timestamp
        .nullable()
        .meta({ description: 'When the click was, the lead got its referrer, or the first purchase was credited' }),
      outcome: z.enum(['won', 'lost']).meta({ description: '`paid` or `not_paid`' }),
      reason: z.string().nullable().meta({ description: 'Why it lost' }),
      message: z.string().nullable().meta({ description: 'The same, for a person' }),
    }),
  )
  .meta({ description: 'Everybody who was considered, in the order of attribution, each with exactly one outcome' });

export function candidateBody({ source, reference, state, memberId, memberActive, at, lost }: StoredCandidate) {
  return {
    source,
    reference,
    user_id: memberId,
    active: memberActive,
    state,
    at: at === null ? null : new Date(at),
    outcome: lost === null ? ('won' as const) : ('lost' as const),
    reason: lost,
    message: lost === null ? null : WHY_LOST[lost],
  };
}
