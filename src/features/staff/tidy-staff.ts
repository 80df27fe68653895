/** The sweep of what has ended by itself: old sessions, links, questions and failures. */
import { raw, statement } from '../../db/query.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import type { Sweep } from '../../jobs/schedule.ts';

export const TIDY = 'tidy-staff';

/** What goes, by table: at a time, so much later. The first is kept for whoever looks who was signed in. */
export const TIDIED = {
  staff_session: { at: 'created_at', after: '30 days' },
  staff_invite: { at: 'expires_at', after: '30 days' },
  staff_challenge: { at: 'expires_at', after: '1 day' },
  staff_failure: { at: 'last_at', after: '1 day' },
} as const;

const deletions = Object.entries(TIDIED).map(([table, { at, after }]) =>
  statement<{ id: string }, { limit: number }>(`staff_tidy_${table}`, ({ limit }) =>
    raw(
      `delete from ${table} d using (
         select s.id from ${table} s where ${ofTenant('s')} and s.${at} < now() - interval '${after}'
         order by s.${at} limit :limit for update skip locked) old
       where ${ofTenant('d')} and d.id = old.id returning d.id`,
      { limit },
    ),
  ),
);

export const tidyStaff: Sweep = {
  name: TIDY,
  batchSize: 200,
  async run(db, scope, limit) {
    if (scope.environment !== 'LIVE') return 0; // people are of LIVE
    let left = limit;
    for (const deletion of deletions) {
      if (left > 0) left -= (await db.rows(deletion(scope, { limit: left }))).length;
    }
    return limit - left;
  },
};
