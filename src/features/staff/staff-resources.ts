/** What is shown of people, their sessions and invitations. Source: docs/specification/people.md#people. */
import { z } from 'zod';
import { emailOut, namedActor, timestamp, uuid } from '../../http/schemas.ts';
import { ROLES } from './open/roles.ts';

export const role = z.enum(ROLES).meta({
  id: 'StaffRole',
  description:
    '`owner`: all, people too; `admin`: all but people, approving payments and money by hand; `finance`: money; `reviewer`: verifications; `developer`: keys and webhooks',
});

export const personResource = z
  .object({
    id: uuid.meta({ description: 'Of the person' }),
    name: z.string().nullable().meta({ description: 'Null until the person has joined' }),
    email: emailOut.nullable().meta({ description: 'Null once the person is removed' }),
    role: role.meta({ description: 'What the person may do' }),
    state: z
      .enum(['invited', 'active', 'disabled', 'removed'])
      .meta({ description: '`invited`: has not joined; `disabled`: can be enabled again; `removed`: gone for good' }),
    factors: z
      .array(z.enum(['passkey', 'totp']))
      .meta({ description: 'The kinds of second factors that the person has; `totp`: an authenticator app' }),
    hasPassword: z.boolean().meta({ description: 'Whether the person has a password' }),
    createdAt: timestamp.meta({ description: 'When the person was first invited' }),
    createdBy: namedActor.meta({ description: 'Who invited the person, or made the welcome link' }),
    joinedAt: timestamp.nullable().meta({ description: 'When the person joined; null: not yet' }),
    lastSignedInAt: timestamp.nullable().meta({ description: 'Null: never' }),
  })
  .meta({ id: 'StaffMember' });

export const sessionResource = z
  .object({
    id: uuid.meta({ description: 'Of the session' }),
    status: z
      .enum(['open', 'expired', 'ended'])
      .meta({ description: '`expired`: its time was over; `ended`: somebody ended it' }),
    createdAt: timestamp.meta({ description: 'When the person signed in' }),
    lastSeenAt: timestamp.meta({ description: 'To a minute' }),
    factorAt: timestamp.nullable().meta({ description: 'When a second factor was last given; null: none was' }),
    ip: z.string().nullable().meta({ description: 'Address that it was begun from; null: not known' }),
    agent: z.string().nullable().meta({ description: 'The User-Agent of the browser that signed in; null: it sent none' }),
    endedAt: timestamp.nullable().meta({ description: 'When it was ended; null: it was not' }),
    endedBy: namedActor.nullable().meta({ description: 'Who ended it; null: nobody' }),
    endedReason: z
      .enum(['signed_out', 'ended', 'not_me', 'password_changed', 'role_changed', 'disabled', 'removed'])
      .nullable()
      .meta({
        description:
          '`signed_out`; `ended`: by a person; `not_me`: the person did not know a sign-in; `password_changed`, `role_changed`, `disabled`, `removed`: of the person; null: not ended',
      }),
    isThis: z.boolean().meta({ description: 'Whether the request came by it' }),
  })
  .meta({ id: 'StaffSession' });

const linkShape = {
  id: uuid.meta({ description: 'Of the invitation' }),
  kind: z.enum(['invite', 'welcome']).meta({ description: '`welcome`: made by the operator or a start, for an owner' }),
  status: z
    .enum(['open', 'used', 'revoked', 'expired'])
    .meta({ description: '`open`: the link can be used; `revoked`: taken back or replaced' }),
  role: role.meta({ description: 'That the person gets' }),
  email: emailOut.nullable().meta({ description: 'Null of a welcome link that nobody has used' }),
  staffId: uuid.nullable().meta({ description: 'The person; null: of a welcome link that nobody has used' }),
  createdAt: timestamp.meta({ description: 'When the link was made' }),
  createdBy: namedActor.meta({ description: 'Who made it' }),
  expiresAt: timestamp.meta({ description: 'When the link stops working' }),
  usedAt: timestamp.nullable().meta({ description: 'When it was used; null: it was not' }),
  revokedAt: timestamp.nullable().meta({ description: 'When it was revoked; null: it was not' }),
};
export const inviteResource = z.object(linkShape).meta({ id: 'StaffInvite' });
