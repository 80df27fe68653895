/** The public contract of the export of what is held on a member: the profile, the history, and what each feature holds. */
import { z } from 'zod';
import type { Exported } from '../../house/personal.ts';
import { defineOperation } from '../../http/operation.ts';
import { timestamp, uuid } from '../../http/schemas.ts';

/** Without it the ID number is masked, also to the member whose token comes with the key. */
export const READ_ID_NUMBERS = 'identity:read';

const nullable = z.string().nullable();

/** What the export itself writes. */
const OWN = {
  exportedAt: timestamp.meta({ description: 'When this document was begun' }),
  profile: z
    .object({
      givenName: nullable.meta({ description: 'As in the identity document; null: not given' }),
      surname: nullable.meta({ description: 'As in the identity document; null: not given' }),
      dateOfBirth: nullable.meta({ description: 'A calendar date; null: not given' }),
      idNumber: nullable.meta({
        description: 'In full for a key with the scope `identity:read`, masked for any other; null: not given',
      }),
      countryCode: nullable.meta({ description: 'ISO 3166-1 alpha-3; null: not given' }),
      address: z.record(z.string(), z.string()).nullable().meta({ description: 'The fields that were given; null: none' }),
      businessName: nullable.meta({ description: 'Of the business that the member is paid as; null: not given' }),
    })
    .meta({ description: 'Beside what `member` has' }),
  history: z.record(z.string(), z.unknown()).meta({ description: 'As `GET /members/{userId}/history` has it' }),
};

/** The order of the document. A field that is not named comes behind these, in the order of the features. */
const ORDER = [
  'exportedAt',
  'member',
  'profile',
  'referralCodes',
  'kyc',
  'history',
  'leads',
  'customers',
  'leadsReferred',
  'referralLinks',
  'commissions',
  'ledgerEntries',
  'payoutAccounts',
  'identities',
  'sessions',
  'kycDocuments',
  'kycRemarks',
  'kycEvents',
  'auditEntries',
];

export function inOrder<Named extends { name: string }>(fields: readonly Named[]): Named[] {
  const place = ({ name }: Named): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return fields.toSorted((a, b) => place(a) - place(b));
}

export function exportMemberData(exported: readonly Exported[]) {
  const own = Object.entries(OWN).map(([name, schema]) => ({ name, schema }));
  const fields = inOrder<{ name: string; schema: z.ZodType }>([...own, ...exported]);
  return defineOperation({
    method: 'get',
    path: '/api/v1/members/{userId}/data-export',
    operationId: 'exportMemberData',
    group: 'Profile',
    summary: 'Everything that is held on a member',
    description:
      'One document, of any size, written as it is read: what changes meanwhile may be in one of its lists and not yet in another. Each list is complete and in a fixed order.',
    scope: 'members:export',
    reveals: [{ scope: READ_ID_NUMBERS, what: 'the ID number in full' }],
    protectedRead: true,
    member: 'self',
    params: z.strictObject({ userId: uuid.meta({ description: 'The member' }) }),
    success: [{ status: 200, meaning: 'The document' }],
    response: z.object(Object.fromEntries(fields.map(({ name, schema }) => [name, schema]))).meta({ id: 'MemberDataExport' }),
    errors: ['USER_NOT_FOUND'],
  });
}
