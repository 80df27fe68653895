/** Keys of groups of members. Source: docs/specification/groups.md#keys. */
import { z } from 'zod';

export const GROUP_KEY = '^[a-z0-9-]{1,40}$';

/** Of all who are in no other group. It is always there, and cannot be changed or archived. */
export const DEFAULT_GROUP = 'default';

/** Schema of a key; whether there is such a group only the database tells. */
export const groupKey = z
  .string()
  .regex(new RegExp(GROUP_KEY), 'must have 1 to 40 characters: small letters, digits and hyphens')
  .meta({ override: { type: 'string', pattern: GROUP_KEY } });

export const groupKeyOut = z.string().meta({ description: 'Key of the group' });

/** Of operations on one group. */
export const groupPath = z.strictObject({ key: groupKey.meta({ description: 'Key of the group' }) });
