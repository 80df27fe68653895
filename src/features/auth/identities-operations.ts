/** The public contract of a member's identities: docs/specification/identity.md#linked-by-the-tenant. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { camelListOf, pageQuery } from '../../http/pagination.ts';
import { text, timestamp, uuid } from '../../http/schemas.ts';

const memberIdentity = z
  .object({
    id: uuid.meta({ description: 'Of the link' }),
    providerId: z.string().meta({ description: 'The provider, by the id that the exchange calls it' }),
    subject: z.string().meta({ description: 'The `sub` of its tokens, compared byte by byte' }),
    createdAt: timestamp.meta({ description: 'When it was linked' }),
  })
  .meta({ id: 'MemberIdentity' });

export type MemberIdentityAnswer = z.input<typeof memberIdentity>;

const memberParams = z.strictObject({ userId: uuid.meta({ description: 'The member' }) });

/** As the exchange takes it from a token (verify-external-token.ts). */
const subject = text(255).regex(/^\P{Cc}*$/u, 'must not have control characters');

export const linkIdentity = defineOperation({
  method: 'post',
  path: '/api/v1/members/{userId}/identities',
  operationId: 'linkIdentity',
  group: 'Auth',
  summary: 'Link a member to a person at an identity provider',
  description:
    'What ACCOUNT_LINK_REQUIRED asks for, once the tenant knows that both are one person: from then on an exchange by that subject signs the member in. A member has one identity at each provider. A subject that is linked to another member, a member that has another identity there, and one that is erased are 409. Linking the same again is a 200.',
  scope: 'admin:auth',
  hands: 'neutral',
  params: memberParams,
  body: z
    .strictObject({
      providerId: text(64).meta({ description: 'A provider of this environment, as the exchange calls it' }),
      subject: subject.meta({ description: 'The `sub` of the tokens of that provider, exactly' }),
    })
    .meta({ example: { providerId: 'main', subject: 'auth0|5f7c8ec7c33c6c004bbafe82' } }),
  success: [
    { status: 201, meaning: 'Linked' },
    { status: 200, meaning: 'Linked already' },
  ],
  response: memberIdentity,
  errors: ['USER_NOT_FOUND', 'STATE_CONFLICT'],
});

export const listIdentities = defineOperation({
  method: 'get',
  path: '/api/v1/members/{userId}/identities',
  operationId: 'listIdentities',
  group: 'Auth',
  summary: "List a member's identities at the providers, oldest first",
  scope: 'admin:auth',
  params: memberParams,
  query: z.strictObject(pageQuery),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(memberIdentity),
  errors: ['USER_NOT_FOUND'],
});

export const unlinkIdentity = defineOperation({
  method: 'delete',
  path: '/api/v1/members/{userId}/identities/{identityId}',
  operationId: 'unlinkIdentity',
  group: 'Auth',
  summary: 'Unlink a member from a person at an identity provider',
  description:
    'Sessions that the member has through that provider end at once. The next exchange by the subject is that of somebody unknown. The email stays: where a member has it, that exchange is 409 ACCOUNT_LINK_REQUIRED, unless the provider is trusted with it.',
  scope: 'admin:auth',
  hands: 'neutral',
  params: z.strictObject({
    userId: uuid.meta({ description: 'The member' }),
    identityId: uuid.meta({ description: 'Id of the link' }),
  }),
  success: [{ status: 200, meaning: 'Unlinked' }],
  response: z.object({
    id: uuid.meta({ description: 'Of the link' }),
    deleted: z.literal(true).meta({ description: 'It is gone' }),
  }),
  errors: ['NOT_FOUND'],
});
