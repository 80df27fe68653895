/** A candidate of an attribution as answers show it, in receipts and in explanations alike. */
import { z } from 'zod';
import { timestamp, uuid } from '../../../http/schemas.ts';
import { ATTRIBUTION_MODELS, CANDIDATE_SOURCES, CANDIDATE_STATES, PURCHASE_RULES } from './decide-attribution.ts';
import { WHY_LOST } from './lost-reasons.ts';
import type { StoredCandidate } from './receipt.ts';

export const attributionModel = z.enum(ATTRIBUTION_MODELS).meta({
  id: 'AttributionModel',
  description: 'Which of several clicks counts: `last_click`, the latest, or `first_click`, the earliest',
});

export const attributionRule = z.enum(PURCHASE_RULES).meta({
  id: 'AttributionRule',
  description:
    'What credited the member: `explicit_user`: the call named it; its `referral_code` or `link`; `first_referrer`: of the customer; `lead`: who referred it; `click`; `personal_purchase`: a member bought; `none`: nobody is credited',
});

const source = z.enum(CANDIDATE_SOURCES).meta({
  id: 'CandidateSource',
  description:
    '`standing`: the referrer that a lead has already; `explicit_user`: named by the call; `referral_code`, `link`, `click`: what was sent; `first_referrer`: of the customer; `lead`: who referred it',
});

const state = z.enum(CANDIDATE_STATES).meta({
  id: 'CandidateState',
  description:
    'How it was found; only what is `usable` can win. `unknown`, `invalid`: there is none, or it was not made here; `other_environment`: of LIVE or SANDBOX; `retired`, `disabled`, `expired`, `disqualified`: a code, link, click or lead that no longer counts; `unattributed`: leads to nobody; `not_recruiting`: its member may not recruit; `set_aside`: a buyer was named',
});

export const candidates = z
  .array(
    z
      .object({
        source,
        reference: z.string().meta({
          description: 'What was named: a code, or the id of a member, link, lead, click or customer',
        }),
        user_id: uuid.nullable().meta({ description: 'Whom it leads to' }),
        active: z.boolean().nullable().meta({ description: 'Whether that member was active then' }),
        state,
        at: timestamp
          .nullable()
          .meta({ description: 'When the click was, the lead got its referrer, or the first purchase was credited' }),
        outcome: z.enum(['won', 'lost']).meta({ description: '`won`: it is credited; `lost`: another is, or it could not be' }),
        reason: z.string().nullable().meta({ description: 'Why it lost' }),
        message: z.string().nullable().meta({ description: 'The same, for a person' }),
      })
      .meta({ id: 'AttributionCandidate' }),
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
