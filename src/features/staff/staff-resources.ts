/** What is shown of invitations. Source: docs/specification/people.md#links. */
import { z } from 'zod';
import { emailOut, namedActor, timestamp, uuid } from '../../http/schemas.ts';
import { ROLES } from './open/roles.ts';

export const role = z.enum(ROLES).meta({ id: 'StaffRole' });

const linkShape = {
  id: uuid,
  kind: z.enum(['invite', 'welcome']),
  status: z.enum(['open', 'used', 'revoked', 'expired']),
  role,
  email: emailOut.nullable().meta({ description: 'Null of a welcome link that nobody has used' }),
  staffId: uuid.nullable(),
  createdAt: timestamp,
  createdBy: namedActor,
  expiresAt: timestamp,
  usedAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
};
export const inviteResource = z.object(linkShape).meta({ id: 'StaffInvite' });
