/** What a sequence must not come to. */
import type { Site } from './moves.ts';
import type { Ground } from './search.ts';
import type { Row, State } from './world-state.ts';

const RULES: Record<string, number> = { keys: 1, persons: 2 };

/**
 * What must not be. `money`: a payout is on its way or has gone, other than as the second root approved it. The rest is
 * what leads there: a run that one root carried through, a person who can approve by one root, a setting that one loosened.
 */
export function judge({ world, people }: Ground, { copy }: Site, state: State, { moneyAlone = false } = {}): string | undefined {
  const rows = (table: string): Row[] => state[table] ?? [];
  const [byHand] = rows('commission_settings');
  const allowed = new Map([world.approved, world.failed].map((run) => [run.payoutId, run]));
  const attempts = new Set(rows('payout_attempt').map((attempt) => attempt['payout_id']));
  for (const payout of rows('payout')) {
    const { id, status, amount_minor: amount, payout_account_id: accountId, payout_run_id: runId } = payout;
    // A settlement enters what somebody has paid outside the service. It names no account; that no vendor is asked for it
    // is seen when the worker has run.
    if (runId === null && accountId === null && payout['provider_type'] === 'manual') continue;
    if (status !== 'processing' && status !== 'paid' && !attempts.has(id)) continue;
    const as = allowed.get(String(id));
    if (as?.amountMinor === amount && as?.accountId === accountId) continue;
    return `money: the payout ${String(id)} of ${String(amount)} is ${String(status)}`;
  }
  if (moneyAlone) return undefined;
  const runs = new Set([world.approved.runId, world.failed.runId]);
  const carried = rows('payout_run').find(
    (run) => !runs.has(String(run['id'])) && !['draft', 'cancelled'].includes(String(run['status'])),
  );
  if (carried) return `the run ${String(carried['id'])} is ${String(carried['status'])}`;
  const owners = [people.first.staffId, people.second.staffId];
  const approver = rows('staff').find(
    ({ id, role, state }) =>
      ['owner', 'finance'].includes(String(role)) &&
      ['active', 'invited'].includes(String(state)) &&
      !owners.includes(String(id)),
  );
  if (approver) return `people: ${String(approver['role'])} is ${String(approver['state'])} who was not`;
  const [settings = {}] = rows('payment_settings');
  const loosened = [
    rows('staff_provider').length > 0 && 'people sign in elsewhere',
    settings['dual_control'] !== true && 'dual control is off',
    (RULES[(settings['dual_control_by'] ?? 'keys') as string] ?? 0) < 1 && 'dual control is by nobody',
    Number(settings['account_cooldown_hours']) < 24 && 'the cool-down is shorter',
    settings['require_kyc'] !== true && 'no verification is asked for',
    settings['provider'] !== 'payvendor' && 'another provider pays',
    settings['base_url'] !== null && "the vendor's address is another",
    settings['secret_key_sealed'] !== copy.sealed.secretKey && "the vendor's secret is another",
    settings['webhook_secrets_sealed'] !== copy.sealed.webhookSecrets && 'the webhook secrets are others',
    Object.keys(byHand?.['manual_limit_minor'] ?? {}).length > 0 && 'more is credited by hand',
  ].find((fault) => fault !== false);
  return loosened === undefined ? undefined : `the settings: ${loosened}`;
}
