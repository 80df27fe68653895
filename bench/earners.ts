/** Two members with commissions of two years, many and few, and everything their summaries are made of. */
import { rebuildCommissions } from '../src/features/members/fold-commissions.ts';
import { countDownlines, loadingSteps, told } from './load.ts';
import type { Stage, Tenant } from './stage.ts';

export interface Earner {
  id: string;
  lines: number;
  /** Direct recruits, and below each a member on each of the next three levels. */
  legs: number;
  leads: number;
}

export interface Earners extends Tenant {
  many: Earner;
  few: Earner;
}

const FEW = { lines: 1_000, legs: 50, leads: 200 };
const LEGS_OF_MANY = 500;
const LEADS_OF_MANY = 2_000;
const CUSTOMERS = 5_000;

/**
 * Each line is of a sale of its own: at level 1 the earner's, from level 2 on that of a member below one
 * of its recruits. Sales lie evenly over two years up to now; what could be cleared is, by a journal a
 * day, and what was cleared before this month is paid out, by a journal at the beginning of each month.
 */
export async function loadEarners(stage: Stage, lines: number, say: (line: string) => void): Promise<Earners> {
  const tenant = await stage.newTenant();
  const step = loadingSteps(stage, tenant, say);
  await stage.sql('set session_replication_role = replica');
  await loadMembers(stage, step, { lines, legs: LEGS_OF_MANY, leads: LEADS_OF_MANY });
  await loadSales(stage, step, tenant.tenantId);
  await loadMoves(step);
  await stage.sql('set session_replication_role = origin');
  await told(say, 'counted downlines', () => countDownlines(stage, tenant));
  await told(say, 'built rollups', () => buildRollups(stage, tenant));
  await assertConsistent(stage, tenant.tenantId);
  const [many, few] = await stage.sql<Earner>('select id, lines, legs, leads from earner order by nr');
  if (!many || !few) throw new Error('the earners are gone');
  await stage.sql('drop table earner, leg, chain, sale, moved');
  await told(say, 'vacuumed', () => stage.sql('vacuum analyze'));
  return { ...tenant, many, few };
}

/** The rollups of commissions, by the service's own rebuild: lines loaded past the triggers are in none. */
async function buildRollups(stage: Stage, { tenantId, environment }: Tenant): Promise<void> {
  const worker = await stage.openWorker();
  const scope = { tenantId, environment };
  await worker.background.frames.write(scope, (db) => rebuildCommissions(db, scope));
}

type Step = (what: string, text: string) => Promise<void>;

async function loadMembers(stage: Stage, step: Step, many: Omit<Earner, 'id'>): Promise<void> {
  const earners = [many, FEW].map(({ lines, legs, leads }, nr) => `(${nr}, uuidv7(), ${lines}, ${legs}, ${leads})`);
  await stage.sql(
    `drop table if exists earner, leg, chain, sale, moved; -- the small data set leaves a sale behind
     create temp table earner (nr int primary key, id uuid, lines int, legs int, leads int);
     insert into earner values ${earners.join(', ')};
     create temp table leg as
       select e.nr, leg, uuidv7(interval '-3 years' + leg * (interval '3 years' / e.legs)) as leg_id
       from earner e cross join lateral generate_series(0, e.legs - 1) as leg;
     -- Whose sale pays the earner at a level: the recruit itself at level 2.
     create temp table chain as
       select nr, leg, level, leg_id, case level when 2 then leg_id else uuidv7() end as id from leg cross join generate_series(2, 5) as level;
     alter table chain add primary key (nr, leg, level)`,
  );
  const row = (id: string, email: string, parent: string): string =>
    `$scope, ${id}, ${email} || '@bench.example', ${email} || '@bench.example', initcap(replace(${email}, '-', ' ')),
     replace(${email}, '-', ' '), 'DIRECTOR', ${parent}, true, true, false, 'USD'`;
  await step(
    'earners and their recruits',
    `insert into member (tenant_id, environment, id, email, email_norm, name, name_norm, membership_tier, parent_id, is_active,
                         can_recruit, is_test_user, pay_currency, created_at)
     select ${row('id', "'earner-' || nr", 'null::uuid')}, now() - interval '3 years' from earner;
     insert into member (tenant_id, environment, id, email, email_norm, name, name_norm, membership_tier, parent_id, is_active,
                         can_recruit, is_test_user, pay_currency, created_at)
     select ${row('c.id', "'recruit-' || c.nr || '-' || c.leg || '-' || c.level", 'coalesce(above.id, e.id)')},
            now() - interval '3 years' + (c.leg + 0.1 * c.level) * (interval '3 years' / e.legs)
     from chain c join earner e using (nr)
     left join chain above on above.nr = c.nr and above.leg = c.leg and above.level = c.level - 1;
     insert into lead (tenant_id, environment, email, referrer_user_id, conversion_status, converted_member_id, created_at)
     select $scope, 'lead-' || e.nr || '-' || i || '@bench.example', e.id, case i % 10 when 0 then 'converted' else 'captured' end,
            c.id, now() - i * (interval '3 years' / e.leads)
     from earner e cross join lateral generate_series(1, e.leads) as i
     left join chain c on i % 10 = 0 and c.nr = e.nr and c.leg = (i / 10) % e.legs and c.level = 2`,
  );
}

async function loadSales(stage: Stage, step: Step, tenantId: string): Promise<void> {
  const [plan] = await stage.sql<{ id: string }>('select id from commission_plan_version where tenant_id = $1', [tenantId]);
  // 7919 is prime to the numbers of legs and customers: what comes next to each other in time lies far apart.
  await stage.sql(
    `create temp table sale as
       select s.*, uuidv7(at - now()) as id, uuidv7(at - now()) as journal_id, base * rate / 10000 as amount,
              case when at + interval '30 days' > now() then 'pending'
                   when at + interval '30 days' >= date_trunc('month', now()) then 'cleared' else 'paid' end as status
       from (select e.nr, e.id as earner_id, i, i % 5 + 1 as level, i * 7919 % e.legs as leg, 2000 + i * 7919 % 48000 as base,
                    (array[1000, 500, 300, 200, 100])[i % 5 + 1] as rate,
                    case i % 3 when 0 then 'subscription' else 'sales' end as source,
                    now() - interval '2 years' + i * (interval '2 years' / e.lines) as at
             from earner e cross join lateral generate_series(0::bigint, e.lines - 1) as i) s;
     create temp table moved as
       select m.*, uuidv7(at - now()) as journal_id
       from (select 'pending' as from_kind, 'cleared' as to_kind, earner_id, date_trunc('day', at) + interval '31 days' as at,
                    date_trunc('day', at) as sold_on, sum(amount) as amount
             from sale where status <> 'pending' group by 3, 4, 5
             union all
             select 'cleared', 'paid_out', earner_id, date_trunc('month', at + interval '30 days') + interval '1 month', null, sum(amount)
             from sale where status = 'paid' group by 3, 4) m;
     create temp table customer_nr as select nr, uuidv7() as id from generate_series(0, ${CUSTOMERS - 1}) as nr;
     analyze chain, sale, moved, customer_nr`,
  );
  await step(
    'sales',
    `insert into customer (tenant_id, environment, id, external_id, email)
     select $scope, id, 'customer-' || nr, 'customer-' || nr || '@bench.example' from customer_nr;
     insert into event (tenant_id, environment, id, external_event_id, kind, type, occurred_at, recorded_at, amount_minor, currency,
                        tax_minor, shipping_minor, discount_minor, base_minor, customer_id, attributed_member_id, attribution_rule,
                        status, plan_version_id, content_digests)
     select $scope, s.id, 'sale-' || s.nr || '-' || s.i, 'purchase',
            case s.source when 'sales' then 'one_time' else 'subscription_renewal' end, s.at, s.at, s.base, 'USD', 0, 0, 0, s.base,
            c.id, coalesce(chain.id, s.earner_id), 'explicit_user', 'accepted', '${plan?.id}', '{}'
     from sale s join customer_nr c on c.nr = s.i * 7919 % ${CUSTOMERS}
     left join chain on chain.nr = s.nr and chain.leg = s.leg and chain.level = s.level;
     drop table customer_nr`,
  );
  await step(
    'commission lines and their journals',
    `insert into commission_line (tenant_id, environment, id, event_id, beneficiary_id, kind, source, level, paid_level, rate_bps,
                                  multiplier_milli, base_minor, amount_minor, currency, status, clears_at, occurred_at,
                                  plan_version_id, calculation_hash, leg_id, created_at, cleared_journal_id,
                                  status_changed_at)
     select $scope, uuidv7(s.at - now()), s.id, s.earner_id, 'commission', s.source, s.level, s.level, s.rate, 1000, s.base, s.amount,
            'USD', s.status, s.at + interval '30 days', s.at, '${plan?.id}', sha256(uuid_send(s.id)), chain.leg_id, s.at,
            m.journal_id, m.at
     from sale s left join chain on chain.nr = s.nr and chain.leg = s.leg and chain.level = s.level
     left join moved m on s.status <> 'pending' and m.to_kind = 'cleared' and m.earner_id = s.earner_id
       and m.sold_on = date_trunc('day', s.at);
     insert into journal_entry (tenant_id, environment, id, cause_type, cause_id, occurred_at, recorded_at)
     select $scope, journal_id, 'event', id, at, at from sale;
     insert into posting (tenant_id, environment, journal_id, seq, account, member_id, currency, amount_minor)
     select $scope, journal_id, 0, 'company:commission_expense', null::uuid, 'USD', -amount from sale
     union all
     select $scope, journal_id, 1, 'member:pending', earner_id, 'USD', amount from sale`,
  );
}

/** Clearings of each day and payouts of each month, by a journal each. */
async function loadMoves(step: Step): Promise<void> {
  await step(
    'clearings and payouts',
    `insert into journal_entry (tenant_id, environment, id, cause_type, cause_id, occurred_at, recorded_at)
     select $scope, journal_id, 'clearing', journal_id, at, at from moved;
     insert into posting (tenant_id, environment, journal_id, seq, account, member_id, currency, amount_minor)
     select $scope, journal_id, 0, 'member:' || from_kind, earner_id, 'USD', -amount from moved
     union all
     select $scope, journal_id, 1, 'member:' || to_kind, earner_id, 'USD', amount from moved;
     insert into ledger_unsealed (tenant_id, environment, journal_id)
     select tenant_id, environment, id from journal_entry where (tenant_id, environment) = ($scope)`,
  );
}

/** Lines and ledger say the same of each member. */
async function assertConsistent(stage: Stage, tenantId: string): Promise<void> {
  const [bad] = await stage.sql<{ found: number }>(
    `with line as (
       select beneficiary_id as member_id, 'member:' || case status when 'paid' then 'paid_out' else status end as account,
              sum(amount_minor) as amount
       from commission_line where tenant_id = $1 group by 1, 2),
     ledger as (
       select member_id, account, sum(amount_minor) as amount from posting where tenant_id = $1 and member_id is not null group by 1, 2),
     journal as (select from posting where tenant_id = $1 group by journal_id having sum(amount_minor) <> 0)
     select ((select count(*) from line full join ledger using (member_id, account, amount)
              where line.member_id is null or ledger.member_id is null)
             + (select count(*) from journal)
             + (select count(*) from commission_line where tenant_id = $1 and (leg_id is null) <> (level < 2)))::int as found`,
    [tenantId],
  );
  if (bad?.found !== 0) throw new Error(`earners: ${bad?.found} contradictions between lines and ledger`);
}
