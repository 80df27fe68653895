/** How sums of sales are turned on, in SQL. */
import { theTenant } from '../../../db/tenant-condition.ts';
import { beginRecording } from '../../genealogy/open/recording-sql.ts';

/**
 * From the commit of the statement's transaction the scope sums up its sales, also those recorded before. Sales may be
 * recorded meanwhile. Until the sweep `fold-sales` has made the sums ready, sales are read from the events. Does nothing where
 * they are summed up already.
 */
export const BEGIN_SALES_SUMS: string = beginRecording(
  'sales',
  `(select t.reporting_time_zone as name from tenant t where ${theTenant('t')})`,
);
