/** What sales hold of a person: the customers with a member's email. */
import { z } from 'zod';
import type { Personal } from '../../house/personal.ts';
import { emailOut, timestamp, uuid } from '../../http/schemas.ts';
import { customersOfMember, eraseCustomers } from './personal-queries.ts';

export const eventsPersonal: Personal = {
  eraseBefore: eraseCustomers,
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
        .meta({ description: "Customers with the member's email" }),
      list: customersOfMember,
    },
  ],
};
