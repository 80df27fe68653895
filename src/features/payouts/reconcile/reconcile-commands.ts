/** The operator's commands of a freeze. Source: docs/coming-back.md. */
import { readFile } from 'node:fs/promises';
import { Option } from 'commander';
import type { Environment, Scope } from '../../../db/scope.ts';
import { type CommandLine, ONE_TENANT, table } from '../../../house/commands.ts';
import { readBankFile } from './bank-file.ts';
import { explainFreeze } from './freeze.ts';
import type { Freeze } from './freeze-queries.ts';
import type { Finding } from './match-transfer.ts';
import type { ReconcileService, Reconciliation } from './reconcile-service.ts';

interface Offers {
  reconcile: ReconcileService;
}

interface Options {
  tenant?: string;
  environment?: 'live' | 'sandbox';
  since?: string;
  apply?: true;
  bankFile?: string;
  bankPayments: boolean;
  accept?: string;
  member?: string;
  thaw?: true;
  forceWithReason?: string;
}

const DAY_MS = 86_400_000;
/** A backup that is older than this is named by --since. */
const SINCE_DAYS = 35;
/** Findings that are printed as text; all are in --json. */
const SHOWN = 200;

export function reconcileCommands({ group, command }: CommandLine<Offers>): void {
  const payouts = group('payouts', 'payouts after a restore or a failover');

  command<object>(
    payouts,
    'freeze',
    'freeze payouts by hand: after a volume was put back, before the service is started on it',
    async ({ offers }) => {
      const { reconcile } = await offers();
      await reconcile.freezeByHand();
      const freeze = await reconcile.freeze.read();
      return { json: freeze ?? null, text: 'Payouts are frozen, on every instance at once' };
    },
    { needSecrets: true },
  );

  command<Options>(
    payouts,
    'reconcile',
    'match what vendors and banks have paid with the books; thaws payouts when all is matched',
    async (process, options) => {
      const { reconcile } = await process.offers();
      const freeze = await reconcile.freeze.read();
      if (options.apply && !freeze) throw new Error('payouts are not frozen: nothing is recorded; see `cli payouts freeze`');
      if (options.accept !== undefined) return acceptOne(reconcile, freeze, options);
      const bank = options.bankFile ? readBankFile(await readFile(options.bankFile, 'utf8')) : undefined;
      const saysNone = !options.bankPayments;
      if ((bank || saysNone) && !options.tenant) throw new Error('--bank-file and --no-bank-payments need --tenant');
      const since = options.since ? new Date(options.since) : new Date(Date.now() - SINCE_DAYS * DAY_MS);
      if (Number.isNaN(since.getTime())) throw new Error('--since must be a time such as 2027-01-31T00:00:00Z');
      const input = { since, apply: options.apply === true, bank: bank ?? (saysNone ? ('none' as const) : undefined) };
      const scopes = scopesOf(await process.tenantsOf(options.tenant), options.environment);
      const done: Reconciliation[] = [];
      for (const scope of scopes) {
        const isOfBank = scope.environment === 'LIVE' ? input : { ...input, bank: undefined };
        done.push(await reconcile.reconcile(scope, freeze, isOfBank));
      }
      const isWhole = options.tenant === undefined && options.environment === undefined;
      const left = done.filter((one) => !reconcile.isDone(one));
      const thawed = await thaw(reconcile, freeze, { left: left.length, isWhole, ...options });
      const json = { freeze: freeze ?? null, thawed, scopes: done.map(plain) };
      return { ok: left.length === 0, json, text: textOf(done, freeze, thawed, options) };
    },
    { needSecrets: true },
  )
    .option(...ONE_TENANT)
    .addOption(new Option('--environment <environment>', 'only this data (default: both)').choices(['live', 'sandbox']))
    .option('--since <time>', `transfers made since then: a day before the backup was (default: ${SINCE_DAYS} days ago)`)
    .option('--apply', 'record what is found, and thaw when all is matched (default: only tell)')
    .option('--bank-file <csv>', 'what the bank has paid since the backup: reference, account, amount, currency, date')
    .option('--no-bank-payments', 'the bank has paid nothing since the backup')
    .option('--accept <id>', 'a person has judged this transfer or reference: it keeps nothing frozen')
    .option('--member <id>', 'with --accept: whose payouts are put on hold')
    .option('--thaw', 'let payouts go on; refused while something is left')
    .option('--force-with-reason <text>', 'with --thaw: although something is left; kept, so no personal data');
}

async function acceptOne(reconcile: ReconcileService, freeze: Freeze | undefined, options: Options) {
  const { accept = '', tenant, environment = 'live', member } = options;
  if (!freeze) throw new Error('payouts are not frozen: there is nothing to accept');
  if (!tenant) throw new Error('--accept needs --tenant');
  const [scope] = scopesOf([tenant], environment);
  if (scope) await reconcile.accept(scope, freeze, accept, member ?? null);
  return { json: { accepted: accept }, text: `${accept} is accepted; run the command again` };
}

async function thaw(
  reconcile: ReconcileService,
  freeze: Freeze | undefined,
  { left, isWhole, apply, thaw: asked, forceWithReason }: Options & { left: number; isWhole: boolean },
): Promise<boolean> {
  if (!freeze || (!apply && !asked)) return false;
  if (forceWithReason !== undefined && asked) return reconcile.thaw(freeze, forceWithReason);
  if (asked && !isWhole) throw new Error('--thaw is for all tenants at once: leave --tenant and --environment out');
  if (asked && left > 0) throw new Error(`${left} tenants and environments have something left: see the command without --thaw`);
  return isWhole && left === 0 && reconcile.thaw(freeze, null);
}

function scopesOf(tenantIds: readonly string[], environment: 'live' | 'sandbox' | undefined): Scope[] {
  const environments: Environment[] = environment ? [environment === 'live' ? 'LIVE' : 'SANDBOX'] : ['LIVE', 'SANDBOX'];
  return tenantIds.flatMap((tenantId) => environments.map((one) => ({ tenantId, environment: one })));
}

const plain = (one: Reconciliation) => ({
  ...one,
  findings: one.findings.map((found) => ({ ...found, amountMinor: `${found.amountMinor}` })),
});

function textOf(done: readonly Reconciliation[], freeze: Freeze | undefined, thawed: boolean, { apply }: Options): string {
  const concerned = done.filter(({ vendor, bank, findings }) => vendor !== 'none' || bank !== 'none' || findings.length > 0);
  const rows = concerned.map(({ tenantId, environment, vendor, bank, findings, foreign, unanswered }) => ({
    tenant: tenantId,
    environment,
    vendor,
    bank,
    ...countsOf(findings),
    foreign,
    unanswered,
  }));
  const shown = concerned.flatMap(({ findings }) => findings.filter(({ verdict }) => verdict !== 'agrees'));
  const lines = shown.slice(0, SHOWN).map(lineOf);
  return [
    freeze ? `Payouts are frozen: ${explainFreeze(freeze)}` : 'Payouts are not frozen',
    apply ? '' : 'A dry run: nothing is recorded without --apply',
    table(rows),
    '',
    table(lines),
    shown.length > SHOWN ? `… and ${shown.length - SHOWN} more: see --json` : '',
    thawed ? 'All is matched: payouts go on' : '',
  ]
    .filter((line, index) => line !== '' || index === 3)
    .join('\n');
}

function countsOf(findings: readonly Finding[]) {
  const count = (...verdicts: Finding['verdict'][]): number =>
    findings.filter(({ verdict }) => verdicts.includes(verdict)).length;
  return {
    agree: count('agrees', 'taken_back', 'accepted'),
    recorded: count('recorded', 'noted', 'asked_again'),
    left: count('unmatched'),
  };
}

function lineOf({ verdict, why, id, payoutId, memberId, amountMinor, currency }: Finding) {
  return { verdict, why: why ?? '', id, payout: payoutId ?? '', member: memberId ?? '', amountMinor: `${amountMinor}`, currency };
}
