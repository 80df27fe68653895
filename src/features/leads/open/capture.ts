/** What is sent of a lead when it is captured: by itself, and as a row of a file. */
import { z } from 'zod';
import { email, text } from '../../../http/schemas.ts';

const utm = text(255).nullish();

export const captureBody = z
  .strictObject({
    email,
    name: text(255).nullish().meta({ description: 'Full name' }),
    phone: text(32).nullish().meta({ description: 'Phone number' }),
    referral_code: text(64).nullish().meta({ description: 'Code of who referred the person' }),
    source: text(100).nullish().meta({ description: 'Where it came from, as the tenant writes' }),
    utm_source: utm.meta({ description: 'UTM source' }),
    utm_medium: utm.meta({ description: 'UTM medium' }),
    utm_campaign: utm.meta({ description: 'UTM campaign' }),
    click_id: utm.meta({ description: 'As the link gave it to the page; any other text is kept and credits nobody' }),
  })
  .meta({ example: { email: 'lee@visitor.example', name: 'Lee Visitor', referral_code: 'F9DZ3HZQDS', source: 'spring-fair' } });

export type Capture = z.output<typeof captureBody>;
