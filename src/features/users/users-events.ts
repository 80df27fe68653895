/** What tenants are told of members: docs/specification/webhooks.md#types. */
import type { Provenance } from '../../actor.ts';
import type { WriteDb } from '../../db/scope.ts';
import type { DeclaredEvents } from '../../house/events.ts';
import { tell } from '../webhooks/webhooks-service.ts';

export const usersEvents: DeclaredEvents = {
  'member.created': { meaning: 'A member was created: by a key, by a sign-in, of a lead or by an import.', shows: 'getUser' },
  'member.updated': { meaning: 'Something of a member changed that no other event tells of.', shows: 'getUser' },
  'member.email_changed': { meaning: 'A member has another email.', shows: 'getUser' },
  'member.moved': { meaning: 'A member stands under another sponsor.', shows: 'getUser' },
  'member.deactivated': { meaning: 'A member is not active any more.', shows: 'getUser' },
  'group.changed': { meaning: 'A member is in another group, or was at a time that has passed.', shows: 'getUser' },
  'member.erased': { meaning: 'A member was erased: the object is what is left.', shows: 'getUser' },
};

/** What changed, by its names in the API. */
export function tellChange(db: WriteDb, by: Provenance, memberId: string, fields: readonly string[], isActive: boolean): void {
  const deactivated = fields.includes('is_active') && !isActive;
  if (fields.includes('email')) tell(db, by, 'member.email_changed', memberId);
  if (deactivated) tell(db, by, 'member.deactivated', memberId);
  if (fields.includes('group')) tell(db, by, 'group.changed', memberId);
  const isTold = (field: string): boolean => field === 'email' || field === 'group' || (field === 'is_active' && deactivated);
  if (fields.some((field) => !isTold(field))) tell(db, by, 'member.updated', memberId);
}
