/**
 * Named places where a test may kill or hold the process. A no-op unless the configuration names
 * the point; FAULT_POINTS is refused in production.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export type FaultPoint =
  | 'idempotency:claimed'
  | 'idempotency:stored'
  | 'purchase:written'
  | 'purchase:decided'
  | 'reversal:decided'
  | 'reversal:written'
  | 'write-off:written'
  | 'member:written'
  | 'kyc:record-ensured'
  | 'kyc:applicant-made'
  | 'kyc:applicant-stored'
  | 'kyc:token-made'
  | 'document:stored'
  | 'provision:claimed'
  | 'provision:account-made'
  | 'provision:account-stored'
  | 'provision:bank-made'
  | 'provision:bank-stored'
  | 'payout:claimed'
  | 'payout:transferred'
  | 'payout:transfer-stored'
  | 'payout:sent'
  | 'payout:sent-stored'
  | 'payout:refusal-stored'
  | 'payout:reversal-refused'
  | 'payout:reversed'
  | 'payout:reversal-stored'
  | 'import:linked'
  | 'import:batch-done'
  | 'import:batch-committed'
  | 'job:claimed'
  | 'job:settled'
  | 'job:committed'
  | 'sweep:handled'
  | 'payment-event:committed'
  | 'kyc-event:committed';

const actions = new Map<string, string>();

/** `name=kill` or `name=hold:MILLISECONDS`, comma-separated. */
export function setFaultPoints(spec: string | undefined): void {
  actions.clear();
  for (const entry of spec?.split(',') ?? []) {
    const [name = '', action = ''] = entry.split('=');
    actions.set(name, action);
  }
}

export async function faultPoint(name: FaultPoint): Promise<void> {
  const action = actions.get(name);
  if (action === undefined) return;
  if (action === 'kill') process.kill(process.pid, 'SIGKILL');
  await sleep(Number(action.replace('hold:', '')));
}
