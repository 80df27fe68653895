/**
 * Named places where a test may kill or hold the process. A no-op unless the configuration names
 * the point; FAULT_POINTS is refused in production.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** `thing:moment`; each is declared by the feature that has it. */
export type FaultPoint = `${string}:${string}`;

const actions = new Map<string, string>();

/** `name=kill` or `name=hold:MILLISECONDS`, comma-separated, of the points that there are. */
export function setFaultPoints(spec: string | undefined, known: readonly string[]): void {
  actions.clear();
  for (const entry of spec?.split(',') ?? []) {
    const [name = '', action = ''] = entry.split('=');
    if (!known.includes(name)) throw new Error(`FAULT_POINTS: there is no point ${name}`);
    actions.set(name, action);
  }
}

export async function faultPoint(name: FaultPoint): Promise<void> {
  const action = actions.get(name);
  if (action === undefined) return;
  if (action === 'kill') process.kill(process.pid, 'SIGKILL');
  await sleep(Number(action.replace('hold:', '')));
}
