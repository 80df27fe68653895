/** What a search finds. */
import { z } from 'zod';
import { uuid } from '../../http/schemas.ts';

export const FOUND_KINDS = [
  'member',
  'event',
  'commission',
  'lead',
  'referral_code',
  'referral_link',
  'payout_run',
  'payout',
  'api_key',
] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

export const foundKind = z.enum(FOUND_KINDS).meta({
  id: 'SearchResultKind',
  description:
    'What was found: a `member`, `event`, `commission`, `lead`, `referral_code`, `referral_link`, `payout_run`, `payout` or `api_key`',
});

export const found = z
  .object({
    kind: foundKind,
    id: uuid.meta({ description: 'Its id' }),
    title: z.string().meta({ description: 'What it is called: a name, an email, the id of an order, a code, a slug' }),
    subtitle: z.string().nullable().meta({ description: 'What tells it from others of the same title' }),
    state: z.string().meta({
      description: 'Of a member or a key active, inactive, erased, expired, disabled or revoked; of all else its `status`',
    }),
    userId: uuid.nullable().meta({ description: 'The member that it is about' }),
    eventId: uuid.nullable().meta({ description: 'Of a commission: the event that made it' }),
    exact: z.boolean().meta({ description: 'It was named whole: by an id, an email, a code, a slug or an id of the tenant' }),
  })
  .meta({ id: 'SearchResult' });

export type Found = z.input<typeof found>;
