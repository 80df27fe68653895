/** What is shown of invitations. Source: docs/specification/people.md#links. */
import { z } from 'zod';
import { emailOut, namedActor, timestamp, uuid } from '../../http/schemas.ts';
import { ROLES } from './open/roles.ts';

export const role = z.enum(ROLES).meta({
  id: 'StaffRole',
  description:
    '`owner`: all, people too; `admin`: all but people, approving payments and money by hand; `finance`: money; `reviewer`: verifications; `developer`: keys and webhooks',
});

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
