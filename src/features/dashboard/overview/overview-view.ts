/** The overview as a document: first what waits, then the money and the members by month, then the last sales. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import type { Formats } from '../../../pages/format.ts';
import { type Html, html, joined as joinedBy } from '../../../pages/html.ts';
import { barChart } from '../../../pages/parts/bar-chart.ts';
import { beside, card } from '../../../pages/parts/card.ts';
import { stateChip, type Tint } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { filters } from '../../../pages/parts/filters.ts';
import { FIRST_SALE } from '../../../pages/parts/first-sale.ts';
import { minorOfMajor, money } from '../../../pages/parts/money.ts';
import { table } from '../../../pages/parts/table.ts';
import { ago } from '../../../pages/parts/time.ts';
import type { getOverview } from '../../overview/overview-operations.ts';
import { needsFactorInLive, ROLES } from '../../staff/open/roles.ts';
import { homeOf } from '../addresses.ts';

type Overview = AnswerOf<typeof getOverview>;
type Waiting = Overview['waiting'];
type Sums = Omit<NonNullable<Overview['commissions']>, 'months'>;
type Page = Pick<PageContext, 'at' | 'format' | 'opens' | 'query' | 'person' | 'environment' | 'can' | 'tenant'>;

interface Sale {
  event_id: string;
  external_event_id: string;
  occurred_at: string;
  amount_minor: number;
  currency: string;
  status: string;
}

export interface OverviewFacts {
  overview: Overview;
  /** Undefined where the role may not see them. */
  sales: readonly Sale[] | undefined;
  hasKeys: boolean | undefined;
  /** False also where the role may not see it. */
  isFrozen: boolean;
  /** The runs behind `blockedPayouts`, as far as they were found. */
  blockedRuns: readonly BlockedRun[];
}

export interface BlockedRun {
  id: string;
  currency: string;
  blockedCount: number;
}

/** Months that one may choose. */
export const PERIODS = [3, 36] as const;
const USUAL = 12;

interface Waits {
  name: keyof Waiting;
  one: string;
  many: string;
  /** The page behind it, with its query. */
  path: string;
  query?: Record<string, string>;
  /** The operation that lists them, where there is no page. */
  listedBy?: string;
}

const WAITS: readonly Waits[] = [
  {
    name: 'pendingChanges',
    one: 'change waits for a second person',
    many: 'changes wait for a second person',
    path: '/pending-changes',
  },
  {
    name: 'kycReviews',
    one: 'member waits for verification',
    many: 'members wait for verification',
    path: '/verification',
    listedBy: '/api/v1/admin/kyc',
  },
  {
    name: 'runsToApprove',
    one: 'payout run is to be approved',
    many: 'payout runs are to be approved',
    path: '/payouts',
    query: { status: 'draft' },
    listedBy: '/api/v1/payout-runs',
  },
  {
    name: 'runsToExecute',
    one: 'approved payout run is to be paid',
    many: 'approved payout runs are to be paid',
    path: '/payouts',
    query: { status: 'approved' },
    listedBy: '/api/v1/payout-runs',
  },
  {
    name: 'failedPayouts',
    one: 'payout has failed',
    many: 'payouts have failed',
    path: '/payouts/all',
    query: { status: 'failed' },
    listedBy: '/api/v1/payouts?status=failed',
  },
  {
    name: 'blockedPayouts',
    one: 'member could not be paid in the last run',
    many: 'members could not be paid in the last run',
    path: '/payouts',
    listedBy: '/api/v1/payout-runs/{runId}/blocked',
  },
  {
    name: 'failingEndpoints',
    one: 'webhook endpoint fails, or was disabled for that',
    many: 'webhook endpoints fail, or were disabled for that',
    path: '/webhooks',
  },
  {
    name: 'heldCommissions',
    one: 'commission is on hold',
    many: 'commissions are on hold',
    path: '/commissions',
    query: { status: 'held' },
  },
];

const STATES: readonly { name: 'pending' | 'cleared' | 'processing' | 'paid'; label: string; tint: Tint | 'accent' }[] = [
  { name: 'pending', label: 'Pending', tint: 'waiting' },
  { name: 'cleared', label: 'Cleared', tint: 'good' },
  { name: 'processing', label: 'Processing', tint: 'moving' },
  { name: 'paid', label: 'Paid', tint: 'accent' },
];

export function drawOverview(page: Page, { overview, sales, hasKeys, isFrozen, blockedRuns }: OverviewFacts): PageView {
  const { commissions, members } = overview;
  const steps = html`${whereDataIs(page, { overview, sales })}${firstSteps(page, { overview, sales, hasKeys })}`;
  const sums = commissions && drawCommissions(page, overview, commissions);
  const joined = members && drawJoined(page, overview, members);
  const last = sales && drawSales(page, sales);
  const todo = card({ title: 'What needs you', body: drawWaits(page, overview.waiting, blockedRuns) });
  const figures = sums && joined ? beside(sums, joined) : html`${sums}${joined}`;
  return { body: html`<div class="stack">${isFrozen && drawFrozen(page)}${todo}${steps}${figures}${last}</div>` };
}

function drawFrozen({ at, opens }: Page): Html {
  const way = opens('/payouts') && html` <a href="${at('/payouts')}">What is left to be matched</a>`;
  return html`<div class="notice notice-bad" role="alert"><p><strong>Payouts are frozen.</strong> Nobody is paid until what was paid meanwhile has been matched.${way}</p></div>`;
}

function drawWaits(page: Page, waiting: Waiting, blockedRuns: readonly BlockedRun[]): Html {
  const { at, format, opens, person, environment } = page;
  const items = WAITS.flatMap(({ name, one, many, path, query, listedBy }) => {
    const count = waiting[name] ?? 0;
    if (count === 0) return [];
    const words = count === 1 ? one : many;
    const what =
      name === 'blockedPayouts' && blockedRuns.length > 0 && opens(path)
        ? leftOut(page, words, blockedRuns)
        : opens(path)
          ? html`<a href="${at(path, query)}">${words}</a>`
          : html`<span>${words}${listedBy !== undefined && html` <span class="muted">There is no page of them yet. The API lists them: <code class="break">GET ${listedBy}</code></span>`}</span>`;
    return [html`<li><span class="count">${format.count(count)}</span>${what}</li>`];
  });
  const role = ROLES.find((one) => one === person.role);
  if (environment === 'LIVE' && role && needsFactorInLive(role) && !person.hasFactor) {
    const words = 'second factor is missing: without it you change nothing in LIVE';
    items.unshift(html`<li><span class="count">1</span><a href="${at('/account')}">${words}</a></li>`);
  }
  return items.length === 0 ? html`<p class="muted">Nothing waits for you.</p>` : html`<ul class="todo">${items}</ul>`;
}

/** A way to those who were left out by the last run, or by that of each currency. */
function leftOut({ at, format }: Page, words: string, runs: readonly BlockedRun[]): Html {
  const addressOf = ({ id }: BlockedRun) => `${at(`/payouts/runs/${id}`)}#blocked`;
  const [only, another] = runs;
  if (only && !another) return html`<a href="${addressOf(only)}">${words}</a>`;
  const links = runs.map((run) => html`<a href="${addressOf(run)}">${format.count(run.blockedCount)} in ${run.currency}</a>`);
  return html`<span>${words}: ${joinedBy(links, ', ')}</span>`;
}

function drawCommissions(
  page: Page,
  { currency, from, to, timeZone }: Overview,
  { months, ...sums }: NonNullable<Overview['commissions']>,
): Html {
  const { at, format, opens, query } = page;
  const hasList = opens('/commissions');
  const of = (all: Sums, name: (typeof STATES)[number]['name']): bigint => minorOfMajor(all[name], all[`${name}Exact`], currency);
  const total = facts(
    STATES.map(({ name, label }) => ({
      name: label,
      value: money(format, of(sums, name), currency),
    })),
    { row: true },
  );
  const isEmpty = STATES.every(({ name }) => of(sums, name) === 0n);
  const chart = isEmpty
    ? empty({
        what: 'Commissions appear here by the month of their sale',
        why: `There are none in ${currency} in these months.`,
        level: 3,
      })
    : barChart({
        title: `Commissions by month and state, in ${currency}`,
        labels: months.map(({ month }) => format.month(month)),
        ...(hasList && { links: months.map(({ month }) => at('/commissions', { period: month, currency })) }),
        series: STATES.map(({ name, label, tint }) => ({
          name: label,
          tint,
          values: months.map((all) => Number(of(all, name))),
        })),
        format: (minor) => format.money(Math.round(minor), currency),
        tick: (minor) => format.moneyShort(minor, currency),
        short: shortMonths(months, format),
      });
  const period = filters({
    address: at('/'),
    fields: [
      { name: 'currency', label: 'Currency', type: 'text', value: query['currency'], placeholder: currency },
      {
        name: 'months',
        label: 'Months',
        type: 'select',
        value: query['months'],
        choices: PERIODS.map((months) => ({ value: String(months), label: `The last ${months}` })),
        any: `The last ${USUAL}`,
      },
    ],
  });
  const lead = `${format.month(from)} to ${format.month(to)}, by the month of the sale in ${timeZone}. What is on hold counts as pending.${hasList && !isEmpty ? ' Below Figures each month leads to its lines.' : ''}`;
  return card({ title: 'Commissions', lead, body: html`${period}<div class="stack">${total}${chart}</div>`, id: 'commissions' });
}

/** The year stands at the first month and at each January. */
function shortMonths(months: readonly { month: string }[], format: Formats): string[] {
  const short = new Intl.DateTimeFormat(format.locale, { month: 'short', timeZone: 'UTC' });
  return months.map(({ month }, at) =>
    at === 0 || month.endsWith('-01') ? format.month(month) : short.format(new Date(`${month}-01T00:00:00Z`)),
  );
}

function drawJoined(
  { at, format, opens }: Page,
  { from, to }: Overview,
  { joined, months }: NonNullable<Overview['members']>,
): Html {
  const those = { joinedFrom: `${from}-01`, joinedTo: lastDayOf(to), sort: '-joined' };
  const count = opens('/members')
    ? html`<a href="${at('/members', those)}">${format.count(joined)}</a>`
    : html`${format.count(joined)}`;
  const chart =
    joined > 0 &&
    barChart({
      title: 'Members who joined, by month',
      labels: months.map(({ month }) => format.month(month)),
      series: [{ name: 'Joined', tint: 'accent', values: months.map((month) => month.joined) }],
      format: (value) => format.count(Math.round(value)),
      short: shortMonths(months, format),
      narrow: true,
    });
  const body = html`<div class="stack">${facts([{ name: 'Joined', value: count }], { row: true })}${chart}</div>`;
  return card({ title: 'Members', lead: `${format.month(from)} to ${format.month(to)}`, body });
}

/** `2026-02-28` of `2026-02`. */
function lastDayOf(month: string): string {
  const day = new Date(`${month}-01T00:00:00Z`);
  day.setUTCMonth(day.getUTCMonth() + 1, 0);
  return day.toISOString().slice(0, 10);
}

function drawSales({ at, format, opens }: Page, sales: readonly Sale[]): Html {
  return card({
    title: 'Last sales',
    actions: sales.length > 0 && opens('/sales') && html`<a href="${at('/sales')}">All sales</a>`,
    flush: true,
    body: table({
      caption: 'Last sales',
      rows: sales,
      link: ({ event_id }) => at(`/sales/${event_id}`),
      columns: [
        { title: 'Order', cell: ({ external_event_id }) => html`<span class="break">${external_event_id}</span>` },
        { title: 'State', secondary: true, cell: ({ status }) => stateChip(status) },
        { title: 'When', secondary: true, cell: ({ occurred_at }) => ago(format, occurred_at) },
        { title: 'Amount', number: true, cell: ({ amount_minor, currency }) => money(format, amount_minor, currency) },
      ],
      empty: empty({
        what: 'Sales appear here as they are recorded',
        why: 'There are none yet in this environment.',
        curl: FIRST_SALE,
        action: opens('/keys/new') && { href: at('/keys/new'), label: 'Make an API key for it' },
        level: 3,
      }),
    }),
  });
}

/** A sign-in leads to LIVE, which is empty at first: what was tried out before, and a demo, stand in the other one. */
function whereDataIs(
  { environment, tenant }: Page,
  { overview, sales }: Pick<OverviewFacts, 'overview' | 'sales'>,
): Html | undefined {
  const counts = [overview.members?.joined, sales?.length].filter((count) => count !== undefined);
  if (environment !== 'LIVE' || counts.length === 0 || counts.some((count) => count > 0)) return undefined;
  return card({
    title: 'Nothing to see here yet?',
    lead: 'This is LIVE. The data of a demo, and what you try out, stand in the SANDBOX, which is apart from it.',
    body: html`<p><a class="button" href="${homeOf(tenant.slug, 'SANDBOX')}">Open the SANDBOX</a></p>`,
  });
}

/** What the first hour is for, until there are members and sales; for whoever could do all of it. */
function firstSteps(
  { at, opens, person }: Page,
  { overview, sales, hasKeys }: Pick<OverviewFacts, 'overview' | 'sales' | 'hasKeys'>,
): Html | undefined {
  const hasMembers = (overview.members?.joined ?? 1) > 0;
  const hasSales = sales === undefined || sales.length > 0;
  if (hasKeys === undefined || (hasMembers && hasSales)) return undefined;
  const steps = [
    { done: person.hasFactor, what: 'Add a passkey to your account', path: '/account' },
    { done: hasKeys, what: 'Make an API key for your server', path: '/keys/new' },
    { done: hasMembers, what: 'Add the first members, by the API or a file', path: '/imports' },
    { done: hasSales, what: 'Record the first sale, and see who is paid and why', path: '/sales' },
  ];
  const items = steps.map(({ done, what, path }) => {
    const words = !done && opens(path) ? html`<a href="${at(path)}">${what}</a>` : html`<span>${what}</span>`;
    return html`<li>${stateChip(done ? 'done' : 'open')}${words}</li>`;
  });
  return card({
    title: 'First steps',
    lead: 'They go from here once there are members and sales.',
    body: html`<ol class="todo">${items}</ol>`,
  });
}
