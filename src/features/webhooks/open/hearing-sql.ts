/** Who hears of what, as a column of a statement that asks something else anyway. */
import { ofTenant } from '../../../db/tenant-condition.ts';

/** The patterns of types that are written down in the scope: all in a SANDBOX that has said nothing, none in LIVE. */
export const HEARD = `coalesce((select heard.patterns from webhook_hearing heard where ${ofTenant('heard')}),
  case when :environment = 'SANDBOX' then array['*'] else array[]::text[] end)`;
