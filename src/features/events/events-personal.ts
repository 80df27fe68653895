/** What sales hold of a person: the customers that a member is, and what the tenant attached to its purchases. */
import { z } from 'zod';
import type { Personal } from '../../house/personal.ts';
import { amountMinorOut, currency, emailOut, timestamp, uuid } from '../../http/schemas.ts';
import { customersOfMember, eraseSales, purchasesOfMember } from './personal-queries.ts';

export const eventsPersonal: Personal = {
  eraseSales,
  exported: [
    {
      name: 'customers',
      schema: z
        .array(
          z.object({
            id: uuid,
            externalId: z.string(),
            email: emailOut.nullable(),
            name: z.string().nullable(),
            createdAt: timestamp,
          }),
        )
        .meta({ description: "Customers with the member's email, and of purchases that it made" }),
      list: customersOfMember,
    },
    {
      name: 'purchases',
      schema: z
        .array(
          z.object({
            id: uuid,
            externalEventId: z.string(),
            occurredAt: timestamp,
            amountMinor: amountMinorOut,
            currency,
            metadata: z.unknown().nullable(),
            lineItems: z.unknown().nullable(),
            discountCode: z.string().nullable().meta({ description: 'Code of the discount' }),
            customerCountry: z.string().nullable().meta({ description: 'Country of the customer' }),
          }),
        )
        .meta({ description: 'Those of these customers, and those that name the member as the buyer' }),
      list: purchasesOfMember,
    },
  ],
};
