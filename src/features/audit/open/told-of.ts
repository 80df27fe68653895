/** What the audit log tells of objects, in SQL. */
import { ofTenant } from '../../../db/tenant-condition.ts';

/** The ids of what entries of an action are about, as an array; of an action whose objects have uuids. As long as entries are kept. */
export const toldOf = (action: string): string => `array(
     select told.object_id::uuid from audit_log told where ${ofTenant('told')} and told.action = '${action}')`;
