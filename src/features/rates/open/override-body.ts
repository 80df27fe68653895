/** What is sent of a rate that is agreed: by itself, and as a row of a file. */
import { z } from 'zod';
import { instant, text, uuid } from '../../../http/schemas.ts';
import { agreedTarget, overrideItems, overridePay } from './override-schemas.ts';

const level = z.int().min(1).max(5);

export const overrideBody = z
  .strictObject({
    target: agreedTarget,
    targetId: uuid.meta({ description: 'The link, the code or the member' }),
    planId: uuid.nullish().meta({ description: 'Only where this plan pays; default whichever does' }),
    level: level.nullish().meta({ description: 'Paid level that it is for; default 1' }),
    items: overrideItems.nullish().meta({ description: 'Only for these products; default all' }),
    pay: overridePay,
    validFrom: instant.nullish().meta({ description: 'From when it counts; default now; at most a year ahead' }),
    reason: text(500).nullish().meta({ description: 'Why' }),
  })
  .meta({
    example: {
      target: 'member',
      targetId: '0199f3a0-0000-7000-8000-000000000001',
      pay: { rateBps: 1500 },
      reason: 'VIP partner',
    },
  });

export type NewAgreement = z.output<typeof overrideBody>;
