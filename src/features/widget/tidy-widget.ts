/** The sweep of tokens and sessions that have ended by themselves. */
import { raw, statement } from '../../db/query.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import type { Sweep } from '../../jobs/schedule.ts';

export const TIDY = 'tidy-widget';

/** What goes, by table: at a time, so much later; the tokens ahead of their sessions. */
export const TIDIED = {
  widget_token: { at: 'expires_at', after: '1 day' },
  widget_session: { at: 'ends_at', after: '30 days' },
} as const;

const deletions = Object.entries(TIDIED).map(([table, { at, after }]) =>
  statement<{ id: string }, { limit: number }>(`widget_tidy_${table}`, ({ limit }) =>
    raw(
      `delete from ${table} d using (
         select s.id from ${table} s where ${ofTenant('s')} and s.${at} < now() - interval '${after}'
         order by s.${at} limit :limit for update skip locked) old
       where ${ofTenant('d')} and d.id = old.id returning d.id`,
      { limit },
    ),
  ),
);

export const tidyWidget: Sweep = {
  name: TIDY,
  batchSize: 200,
  async run(db, scope, limit) {
    let left = limit;
    for (const deletion of deletions) {
      if (left > 0) left -= (await db.rows(deletion(scope, { limit: left }))).length;
    }
    return limit - left;
  },
};
