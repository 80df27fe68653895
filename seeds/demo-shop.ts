/**
 * `npm run demo`: a scripted tenant that drives the running service over HTTP as a shop's backend
 * would, and ends with a picture of what came of it. It uses fetch for what a tenant does and the
 * CLI for what an operator does, nothing of the service's own code.
 */
import { parseArgs } from 'node:util';
import type { EventAnswer, MemberAnswer } from './demo-shop-answers.ts';
import { ApiError, createShopApi, type ShopApi } from './demo-shop-api.ts';
import { checkBalances, checkBreakdowns, checkMembers, readMembers } from './demo-shop-checks.ts';
import { explainPurchase } from './demo-shop-explain.ts';
import { generateShop } from './demo-shop-generate.ts';
import type { Shop } from './demo-shop-model.ts';
import { describeBalance, drawBreakdown, drawTree } from './demo-shop-picture.ts';
import { createProgress } from './demo-shop-progress.ts';
import { playPartners } from './demo-shop-rates.ts';
import { countCalls, type Problem, playShop, type ShopRun } from './demo-shop-run.ts';
import { probe, runCli, type Service, startService } from './demo-shop-service.ts';
import { summarise } from './demo-shop-summary.ts';
import { columns, formatCount } from './demo-shop-text.ts';

const HELP = `npm run demo -- [options]

  --members <n>     members of the shop (300)
  --leads <n>       leads (2 to every 15 members: 40)
  --purchases <n>   purchases over the last six months (2000)
  --seed <n>        another number makes another shop (3)
  --key <apiKey>    use this key of an empty tenant; default: make a tenant and a LIVE key
  --no-doctor       leave out the audit at the end

  BASE_URL          the service (http://localhost:3000); with nobody there, the demo starts the service
                    itself on another port and stops it at the end
  DATA_DIR, DATABASE_URL and the rest are the service's own settings and must be the same here.
`;

const DEFAULT_URL = `http://localhost:${process.env['PORT'] ?? 3000}`;

const OPTIONS = {
  members: { type: 'string', default: '300' },
  leads: { type: 'string' },
  purchases: { type: 'string', default: '2000' },
  seed: { type: 'string', default: '3' },
  key: { type: 'string' },
  'no-doctor': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

function say(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

function section(title: string, lines: readonly string[]): void {
  say('', title, ...lines.map((line) => (line === '' ? '' : `  ${line}`)));
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new Error(`--${name} must be a whole number from ${min} to ${formatCount(max)}`);
  return value;
}

function shopOf(options: Options): Shop {
  const members = wholeNumber('members', options.members, 1, 5_000);
  return generateShop({
    members,
    leads: options.leads === undefined ? Math.round((members * 2) / 15) : wholeNumber('leads', options.leads, 0, 5_000),
    purchases: wholeNumber('purchases', options.purchases, 0, 100_000),
    seed: wholeNumber('seed', options.seed, 0, 2 ** 32 - 1),
    today: new Date(),
  });
}

/** The service at BASE_URL; or, for a tenant of our own making on this machine, one started here when nobody is there. */
async function openService(key: string | undefined): Promise<Service> {
  const baseUrl = (process.env['BASE_URL'] || DEFAULT_URL).replace(/\/+$/, '');
  const found = await probe(baseUrl);
  if (found === 'ready') return { baseUrl, own: false, ready: async () => undefined, stop: async () => undefined };
  if (found === 'not ready')
    throw new Error(`the service at ${baseUrl} is not ready: its database is away, or it is shutting down`);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(baseUrl).hostname);
  if (key !== undefined || !isLocal) {
    throw new Error(`${found === 'nothing' ? 'nobody answers' : 'another program answers'} at ${baseUrl}`);
  }
  say(`No service at ${baseUrl}; starting one (the first start takes some seconds) ...`);
  return startService();
}

/** A fresh tenant with a LIVE key, made by the operator's commands; or the key that was given. */
async function openTenant(key: string | undefined): Promise<string> {
  if (key !== undefined) return key;
  const tenant = { name: `Demo shop ${new Date().toISOString().slice(0, 16)}`, currency: 'USD', 'time-zone': 'Europe/Berlin' };
  const flags = Object.entries(tenant).flatMap(([name, value]) => [`--${name}`, value]);
  const { tenantId } = await runCli<{ tenantId: string }>('tenant', 'create', ...flags);
  const { apiKey } = await runCli<{ apiKey: string }>('key', 'create', '--tenant', tenantId, '--environment', 'live');
  return apiKey;
}

/** A key this service does not know means that the operator's commands went to another database. */
async function requireKnownKey(api: ShopApi, baseUrl: string, isOurs: boolean): Promise<void> {
  try {
    await api.get('/api/v1/users?limit=1');
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error;
    const hint = isOurs ? ': is it on another database? Set DATA_DIR or DATABASE_URL as it has them' : '';
    throw new Error(`the service at ${baseUrl} does not know the key${hint}`, { cause: error });
  }
}

/** Plays the shop, shows what came of it, and returns what is wrong. */
async function run(service: Service, shop: Shop, options: Options): Promise<Problem[]> {
  const key = await openTenant(options.key);
  let note = (text: string): void => say(`  ${text}`);
  const api = createShopApi({
    baseUrl: service.baseUrl,
    key,
    onWait: (seconds, reason) => note(`waiting ${seconds} s: ${reason}`),
  });
  await requireKnownKey(api, service.baseUrl, options.key === undefined);

  say('', `Demo shop, seed ${options.seed}, on ${service.baseUrl}`);
  const progress = createProgress(countCalls(shop) + shop.members.length);
  note = (text) => progress.note(text);
  const played = await playShop(api, shop, progress);
  progress.phase('balances');
  const members = await readMembers(api);
  const { problems: balanceProblems, balances } = await checkBalances(api, played, progress);
  progress.end();

  section('What happened', summarise(shop, played, api.retries()));
  const focus = played.members[shop.focus];
  const status = balances.get(focus?.id ?? '');
  if (!focus || !status) throw new Error('the shop has nobody to show');
  const { problems: breakdownProblems, breakdowns } = await checkBreakdowns(api, played, focus.id);
  section(`${focus.name}: upline and downline`, drawTree(members, focus.id));
  section(`${focus.name}: balance`, describeBalance(status, breakdowns));
  section(`${focus.name}: commissions earned`, drawBreakdown(breakdowns));
  const lastProblems = await explainLast(api, played, members, breakdowns[0]?.timeZone ?? 'UTC');
  const partners = await playPartners(api);
  section('Partners: groups, a ladder and a rate that was agreed', partners.lines);

  const [people, receipts] = [shop.members.length, played.receipts.length].map(formatCount);
  const checks: [string, Problem[]][] = [
    [`all ${people} members stand where they were put, in the right tier and activity`, checkMembers(shop, played, members)],
    ['what was sent twice counted once and was answered as the first time', played.problems],
    [`the balances of all ${people} equal the commission lines of ${receipts} receipts`, balanceProblems],
    [`${focus.name}'s breakdown adds up to the receipts by source, level and month`, breakdownProblems],
    ['the last purchase recalculated line by line', lastProblems],
    ['sales of partners paid by the ladder, by what was agreed and by no gift card', partners.problems],
  ];
  section('Checked', columns(checks.map(([name, problems]) => [verdict(problems), name])));
  const doctor = options['no-doctor'] ? [] : await runDoctor();
  if (options.key === undefined) section('To look around', inviteToLook(service, key, focus.id));
  return [...checks.flatMap(([, problems]) => problems), ...doctor];
}

async function explainLast(
  api: ShopApi,
  { receipts }: ShopRun,
  members: ReadonlyMap<string, MemberAnswer>,
  timeZone: string,
): Promise<Problem[]> {
  const event = await api.get<EventAnswer>(`/api/v1/events/${receipts.at(-1)?.event_id}`);
  const { lines, problems } = explainPurchase(event, members, timeZone);
  section('The last purchase, line by line', lines);
  return problems;
}

function inviteToLook(service: Service, key: string, memberId: string): string[] {
  const baseUrl = service.own ? DEFAULT_URL : service.baseUrl;
  const path = `/api/v1/members/${memberId}/commissions/breakdown`;
  return [...(service.own ? ['npm start, and then'] : []), `curl -s -H 'x-tenant-api-key: ${key}' ${baseUrl}${path}`];
}

async function runDoctor(): Promise<Problem[]> {
  const { ok, audits } = await runCli<{ ok: boolean; audits: { id: string; title: string; breaches: unknown[] }[] }>('doctor');
  section('Doctor, over the whole database', columns(audits.map(({ id, title, breaches }) => [verdict(breaches), id, title])));
  return ok
    ? []
    : audits.filter(({ breaches }) => breaches.length > 0).map(({ id, title }) => `doctor: ${id} is broken: ${title}`);
}

function verdict(problems: readonly unknown[]): string {
  return problems.length === 0 ? 'ok' : 'FAILED';
}

/** Runs the demo with the service stopped again whatever happens; a signal stops it too. */
async function main(): Promise<number> {
  let service: Service | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      process.stderr.write('\nstopping ...\n');
      void (service?.stop() ?? Promise.resolve()).finally(() => process.exit(130));
    });
  }
  try {
    const { values: options } = parseArgs({ options: OPTIONS });
    if (options.help) {
      say(HELP);
      return 0;
    }
    const shop = shopOf(options);
    service = await openService(options.key);
    await service.ready();
    const problems = await run(service, shop, options);
    section(
      problems.length === 0 ? 'All is well.' : `FAILED: ${formatCount(problems.length)} things are wrong.`,
      problems.slice(0, 10),
    );
    return problems.length === 0 ? 0 : 1;
  } catch (error) {
    process.stderr.write(`\nthe demo failed: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    await service?.stop();
  }
}

process.exitCode = await main();
