/** What is sent of a lead when it is captured: by itself, and as a row of a file. */
import { z } from 'zod';
import { email, text } from '../../../http/schemas.ts';

const utm = text(255).nullish();

export const captureBody = z
  .strictObject({
    email,
    name: text(255).nullish(),
    phone: text(32).nullish(),
    referral_code: text(64).nullish(),
    source: text(100).nullish(),
    utm_source: utm,
    utm_medium: utm,
    utm_campaign: utm,
    click_id: utm.meta({ description: 'As the link gave it to the page; any other text is kept and credits nobody' }),
  })
  .meta({ example: { email: 'lee@visitor.example', name: 'Lee Visitor', referral_code: 'F9DZ3HZQDS', source: 'spring-fair' } });

export type Capture = z.output<typeof captureBody>;
