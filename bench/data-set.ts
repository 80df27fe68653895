/** The members and postings the rounds of read, create and purchase work on. */
import { countDownlines, loadingSteps, told } from './load.ts';
import type { Stage, Tenant } from './stage.ts';

const MEMBERS = 20_000;
/** Children of each member: 20,000 members stand on eight levels. */
const FAN_OUT = 5;
/** The first member of level 4: it has four above it. */
const FIRST_SELLER = 156;
/** Of each seller, where nothing else is said. */
const SALES = 2;
/** What the default plan pays: the attributed member and four above. */
const PAID_LEVELS = 5;
/** Commission lines of one sale by each seller. */
export const LINES_OF_A_SALE_EACH = (MEMBERS - FIRST_SELLER) * PAID_LEVELS;

export interface DataSet extends Tenant {
  memberIds: string[];
  rootId: string;
  planVersionId: string;
  /** For each seller: the seller and the next four above, nearest first. */
  uplines: string[][];
}

/**
 * One tree of DIRECTORs with a default code each; two purchases by each member deep enough to have
 * five levels paid, with their customers, lines and journals; some leads. Every table the rounds
 * touch has rows and statistics: on an empty one PostgreSQL plans foreign-key checks and trigger
 * queries blindly, and both sides would be measured by how bad the guess was.
 */
export async function loadDataSet(stage: Stage, say: (line: string) => void, salesPerSeller = SALES): Promise<DataSet> {
  const tenant = await stage.newTenant();
  const step = loadingSteps(stage, tenant, say);
  const [plan] = await stage.sql<{ id: string }>('select id from commission_plan_version where tenant_id = $1', [
    tenant.tenantId,
  ]);
  // The rows below are whole and balanced by construction: neither keys nor triggers are checked while loading.
  await stage.sql('set session_replication_role = replica');
  // Node i's children are 5i + 1 to 5i + 5; ids rise with i, as they would had the members joined in this order.
  await stage.sql(
    `create temp table node as select i, uuidv7() as id from generate_series(0, ${MEMBERS - 1}) as i;
     alter table node add primary key (i);
     create temp table sale as
       select row_number() over () as nr, uuidv7() as id, uuidv7() as customer_id, uuidv7() as journal_id, n.i
       from generate_series(1, ${salesPerSeller}) cross join node n where n.i >= ${FIRST_SELLER};
     create temp table pay as
       with recursive up as (
         select id as sale_id, journal_id, 1 as level, i, null::int as leg from sale
         union all
         select sale_id, journal_id, level + 1, (i - 1) / ${FAN_OUT}, i from up where level < ${PAID_LEVELS})
       select up.sale_id, up.journal_id, up.level, node.id as member_id, leg.id as leg_id,
              (array[1000, 500, 300, 200, 100])[up.level] as rate
       from up join node on node.i = up.i left join node leg on leg.i = up.leg`,
  );
  await step(
    `${MEMBERS} members`,
    `insert into member (tenant_id, environment, id, email, email_norm, membership_tier, parent_id, is_active, can_recruit,
                         is_test_user, pay_currency)
     select $scope, n.id, 'member-' || n.i || '@bench.example', 'member-' || n.i || '@bench.example', 'DIRECTOR', p.id,
            true, true, false, 'USD'
     from node n left join node p on n.i > 0 and p.i = (n.i - 1) / ${FAN_OUT} order by n.i;
     insert into referral_code (tenant_id, environment, code, member_id, is_default)
     select $scope, 'BENCH-' || i, id, true from node order by i;
     insert into lead (tenant_id, environment, email) select $scope, 'lead-' || i || '@bench.example' from generate_series(1, 2000) as i`,
  );
  await step(
    'purchases',
    `insert into customer (tenant_id, environment, id, external_id, email)
     select $scope, customer_id, 'customer-' || nr, 'customer-' || nr || '@bench.example' from sale;
     insert into event (tenant_id, environment, id, external_event_id, kind, type, occurred_at, amount_minor, currency, tax_minor,
                        shipping_minor, discount_minor, base_minor, customer_id, attributed_member_id, attribution_rule, status,
                        plan_version_id, content_digests)
     select $scope, sale.id, 'sale-' || nr, 'purchase', 'one_time', now(), 10000, 'USD', 0, 0, 0, 10000, customer_id, node.id,
            'explicit_user', 'accepted', '${plan?.id}', '{}' from sale join node using (i)`,
  );
  await step(
    'commission lines and journals',
    `insert into commission_line (tenant_id, environment, event_id, beneficiary_id, kind, source, level, paid_level, rate_bps,
                                  multiplier_milli, base_minor, amount_minor, currency, status, clears_at, occurred_at,
                                  plan_version_id, calculation_hash, leg_id)
     select $scope, sale_id, member_id, 'commission', 'sales', level, level, rate, 1000, 10000, rate, 'USD', 'pending',
            now() + interval '31 days', now(), '${plan?.id}', sha256(sale_id::text::bytea), leg_id from pay;
     insert into journal_entry (tenant_id, environment, id, cause_type, cause_id, occurred_at)
     select $scope, journal_id, 'event', id, now() from sale;
     insert into posting (tenant_id, environment, journal_id, seq, account, member_id, currency, amount_minor)
     select $scope, journal_id, 0, 'company:commission_expense', null::uuid, 'USD', -sum(rate) from pay group by journal_id
     union all
     select $scope, journal_id, level, 'member:pending', member_id, 'USD', rate from pay`,
  );
  await stage.sql('set session_replication_role = origin');
  await told(say, 'counted downlines', () => countDownlines(stage, tenant));
  await step('statistics', 'vacuum analyze');
  const memberIds = (await stage.sql<{ id: string }>('select id from node order by i')).map((row) => row.id);
  return {
    ...tenant,
    memberIds,
    rootId: memberIds[0] ?? '',
    planVersionId: plan?.id ?? '',
    uplines: memberIds.slice(FIRST_SELLER).map((_, index) => uplineOf(FIRST_SELLER + index, memberIds)),
  };
}

function uplineOf(index: number, memberIds: string[]): string[] {
  const upline: string[] = [];
  for (let i = index; upline.length < PAID_LEVELS; i = Math.floor((i - 1) / FAN_OUT)) upline.push(memberIds[i] ?? '');
  return upline;
}

export function anyOf<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item;
}

/** Over HTTP, as the first member of a tenant is made. Returns its id. */
export async function createMember(url: string, apiKey: string, name: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/users`, {
    method: 'POST',
    headers: { 'x-tenant-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${name}@bench.example` }),
  });
  const body = (await answer.json()) as { id?: string };
  if (answer.status !== 201 || body.id === undefined) throw new Error(`${name}: ${answer.status} ${JSON.stringify(body)}`);
  return body.id;
}
