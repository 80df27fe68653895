/** The scope's clock in SQL: the real time in LIVE, in a SANDBOX the time that it has been set to. */
import type { Knex } from 'knex';
import { raw } from './query.ts';

/** For what Knex builds. */
export const scopeNow: Knex.Raw = raw('scope_now(:tenantId, :environment)');

/** For texts of what is called often: LIVE is spared the function's call. */
export const SCOPE_NOW = "case when :environment = 'SANDBOX' then scope_now(:tenantId, :environment) else now() end";

const CLOCK = "case when :environment = 'SANDBOX' then scope_clock(:tenantId::uuid, :environment) else clock_timestamp() end";

/**
 * The scope's clock at the moment of the call, whatever the transaction waited for. Times are answered in milliseconds:
 * this is the whole one before, for what must lie in front of a change, and the one behind, for the change.
 */
export const SCOPE_CLOCK_BEFORE = `date_trunc('milliseconds', ${CLOCK})`;
export const SCOPE_CLOCK_BEHIND = `date_trunc('milliseconds', ${CLOCK} + interval '999 microseconds')`;

/** SQL that fixes the time of the transaction, and the time: that which was fixed, or else the scope's clock. */
export const fixNow = (time: string): string => `set_config('app.fixed_now', ${time}, true)`;
export const SCOPE_FIXED_NOW = `coalesce(nullif(current_setting('app.fixed_now', true), '')::timestamptz, ${SCOPE_NOW})`;
