/** What a trial's database holds of the writes that were acknowledged, and what the doctor finds. */
import { examine } from '../../../src/doctor/doctor.ts';
import { house } from '../../../src/features.ts';
import { auditsOf } from '../../../src/house/house.ts';
import type { TrialCluster } from './cluster.ts';
import type { Acknowledged } from './shop.ts';

export interface Books {
  acknowledged: number;
  lost: string[];
  doubled: string[];
  /** Ids of the doctor's audits that found something, with what. */
  broken: string[];
}

/** By kind: for each name how often it is there, with the id and the count it should have. */
const COUNTS: Record<Acknowledged['kind'], string> = {
  member: `select external_id as name, count(*)::int as found, min(id::text) as id, 0 as parts from member
           where tenant_id = $1 and external_id = any ($2) group by 1`,
  lead: `select email as name, count(*)::int as found, min(id::text) as id, 0 as parts from lead
         where tenant_id = $1 and email = any ($2) group by 1`,
  link: `select destination_url as name, count(*)::int as found, min(id::text) as id, 0 as parts from referral_link
         where tenant_id = $1 and destination_url = any ($2) group by 1`,
  refund: `select external_event_id as name, count(*)::int as found, min(id::text) as id,
                  (select count(*) from journal_entry j where j.tenant_id = $1 and j.cause_type = 'event' and j.cause_id = any (array_agg(e.id)))::int
                    as parts
           from event e where tenant_id = $1 and external_event_id = any ($2) group by 1`,
  purchase: `select external_event_id as name, count(*)::int as found, min(id::text) as id,
                    (select count(*) from commission_line l where l.tenant_id = $1 and l.event_id = any (array_agg(e.id))
                       and l.reverses_line_id is null)::int as parts
             from event e where tenant_id = $1 and external_event_id = any ($2) group by 1`,
  moves: `select m.id::text as name, 1 as found, m.parent_id::text as id,
                 (select count(*) from member_sponsor_history h where h.tenant_id = $1 and h.member_id = m.id)::int - 1 as parts
          from member m where m.tenant_id = $1 and m.id = any ($2::uuid[])`,
};

export async function examineTrial(
  cluster: TrialCluster,
  adminUrl: string,
  acknowledged: readonly Acknowledged[],
): Promise<Books> {
  const books: Books = { acknowledged: acknowledged.length, lost: [], doubled: [], broken: [] };
  const groups = Map.groupBy(acknowledged, ({ kind, tenantId }) => `${kind} ${tenantId}`);
  for (const group of groups.values()) await compare(cluster, group, books);
  for (const { id, breaches } of await examine(adminUrl, auditsOf(house))) {
    if (breaches.length > 0) books.broken.push(`${id} ${JSON.stringify(breaches[0])}`);
  }
  return books;
}

async function compare(cluster: TrialCluster, group: readonly Acknowledged[], books: Books): Promise<void> {
  const [first] = group;
  if (!first) return;
  const rows = await cluster.sql<{ name: string; found: number; id: string; parts: number }>(COUNTS[first.kind], [
    first.tenantId,
    group.map(({ name }) => name),
  ]);
  const byName = new Map(rows.map((row) => [row.name, row]));
  for (const write of group) {
    const row = byName.get(write.name);
    const told = `${write.kind} ${write.name}`;
    if (row && write.kind === 'refund' && row.parts > 1) books.doubled.push(`${told}: ${row.parts} journals`);
    const wanted = write.kind === 'purchase' ? write.lines : write.kind === 'moves' ? write.moves : undefined;
    if (!row || row.id !== write.id) books.lost.push(row ? `${told}: another id` : told);
    else if (row.found > 1 || (wanted !== undefined && row.parts > wanted)) books.doubled.push(told);
    else if (wanted !== undefined && row.parts < wanted) books.lost.push(`${told}: ${row.parts} of ${wanted}`);
  }
}
