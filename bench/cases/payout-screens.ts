/** What people look at before they approve a run of very many payees: its review, its payouts, and whom it does not pay. */
import { oneAfterAnother, type Timed, type TimedCase, type Times } from '../answer-times.ts';
import { getTimes, keepAliveClient } from '../keep-alive.ts';
import { readerOf } from '../page-reader.ts';
import { loadPayees } from '../payees.ts';
import type { Stage, Tenant } from '../stage.ts';

/** One in twenty has no account, and is blocked. */
const BLOCKED = 20;

type Name = 'review' | 'blocked reasons' | 'the run' | 'a page of payouts' | 'a page of blocked members' | PageName;
type PageName = keyof ReturnType<typeof pagesOf>;

/** Pages of the dashboard, as finance opens them. */
const pagesOf = (runId: string) => ({
  'the page of runs': '/payouts',
  'the page that looks at the run': `/payouts/runs/${runId}`,
  'the page of those left out for a reason': `/payouts/runs/${runId}?reason=NO_ACCOUNT`,
  'the page that approves it': `/payouts/runs/${runId}/approve`,
  'the page that pays and watches it': `/payouts/runs/${runId}/watch`,
  'the page of all payouts': '/payouts/all',
  'the page of accounts': '/payouts/accounts',
});

export async function payoutScreensCase(
  stage: Stage,
  serviceUrl: string,
  { members, say }: { members: number; say: (line: string) => void },
): Promise<TimedCase<Name>> {
  const tenant = await loadPayees(stage, members, say);
  const runId = await draft(stage, serviceUrl, tenant, members);
  const run = `/api/v1/payout-runs/${runId}`;
  const reader = await readerOf(stage, serviceUrl, tenant);
  const pages = pagesOf(runId);
  const names = Object.keys(pages) as PageName[];
  const ofPages = Object.fromEntries(names.map((name) => [name, oneAfterAnother(() => reader.open(pages[name]))]));
  const timesOf = (path: string): Timed => getTimes(keepAliveClient(serviceUrl, tenant.apiKey), () => path);
  const figure = (name: Name) => ({
    name: `${name} of ${members.toLocaleString('en')} payees, p95`,
    unit: 'ms' as const,
    limit: 100,
    of: (round: Record<Name, Times>) => round[name].p95,
  });
  return {
    name: 'payout-screens',
    timed: {
      review: timesOf(`${run}/review`),
      'blocked reasons': timesOf(`${run}/blocked-reasons`),
      'the run': timesOf(run),
      'a page of payouts': timesOf(`/api/v1/payouts?runId=${runId}&sort=-amount&limit=50`),
      'a page of blocked members': timesOf(`${run}/blocked?reason=NO_ACCOUNT&sort=-amount&limit=50`),
      ...(ofPages as Record<PageName, Timed>),
    },
    figures: [
      figure('review'),
      figure('blocked reasons'),
      figure('the run'),
      figure('a page of payouts'),
      figure('a page of blocked members'),
      ...names.map(figure),
    ],
    async check() {
      const client = keepAliveClient(serviceUrl, tenant.apiKey);
      const { ledger, difference } = (await client.getJson(`${run}/review`)) as {
        ledger: { equal: boolean; changedMinor: number };
        difference: { more: number } | null;
      };
      client.close();
      if (!ledger.equal || ledger.changedMinor !== 0 || difference?.more !== members - members / BLOCKED) {
        throw new Error(`payout-screens: ${JSON.stringify({ ledger, difference })}`);
      }
    },
  };
}

/** Behind a former run that has paid everybody less. */
async function draft(stage: Stage, serviceUrl: string, tenant: Tenant, members: number): Promise<string> {
  const { tenantId, environment, apiKey } = tenant;
  await stage.sql(
    `insert into payment_settings (tenant_id, environment, provider, capabilities, approved_recipient_countries, require_kyc, dual_control,
                                   account_cooldown_hours)
     values ($1, $2, 'payvendor', '{transfers}', '{}', true, false, 24)`,
    [tenantId, environment],
  );
  await stage.sql(
    `update payout_account set status = 'deactivated', is_primary = false
     where tenant_id = $1 and id in (select id from payout_account where tenant_id = $1 order by id limit $2)`,
    [tenantId, members / BLOCKED],
  );
  const post = async (path: string, body: object, status: number): Promise<{ id: string }> => {
    const answer = await fetch(`${serviceUrl}/api/v1/payout-runs${path}`, {
      method: 'POST',
      headers: { 'x-tenant-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const run = (await answer.json()) as { id: string };
    if (answer.status !== status) throw new Error(`payout-screens: ${answer.status} ${JSON.stringify(run)}`);
    return run;
  };
  const model = await post('', { currency: 'USD' }, 201);
  await stage.sql('set session_replication_role = replica');
  await stage.sql(
    `with former as (
       insert into payout_run (tenant_id, environment, id, currency, cutoff_at, status, payout_count, total_minor, created_by,
                               executed_by, executed_at, created_at, updated_at)
       select tenant_id, environment, uuidv7(interval '-1 month'), currency, cutoff_at, 'completed', payout_count, total_minor,
              created_by, created_by, now() - interval '1 month', now(), now() from payout_run where id = $1
       returning id)
     insert into payout (tenant_id, environment, payout_run_id, member_id, payout_account_id, provider_type, currency, amount_minor,
                         line_count, status, attempt, paid_at, created_at, updated_at)
     select p.tenant_id, p.environment, former.id, p.member_id, p.payout_account_id, p.provider_type, p.currency,
            p.amount_minor / 2, 1, 'paid', 1, now(), now(), now()
     from payout p cross join former where p.payout_run_id = $1`,
    [model.id],
  );
  await stage.sql('set session_replication_role = origin');
  await post(`/${model.id}/cancel`, {}, 200);
  const run = await post('', { currency: 'USD' }, 201);
  await stage.sql('vacuum analyze');
  return run.id;
}
