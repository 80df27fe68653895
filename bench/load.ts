/** Loading by SQL, a step after the other. */
import type { Stage, Tenant } from './stage.ts';

/** Says how long something took. */
export async function told<T>(say: (line: string) => void, what: string, run: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await run();
  say(`${what} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return result;
}

/** Steps of SQL in which `$scope` stands for the two first columns of every row. */
export function loadingSteps(
  stage: Stage,
  { tenantId, environment }: Pick<Tenant, 'tenantId' | 'environment'>,
  say: (line: string) => void,
): (what: string, text: string) => Promise<void> {
  return async (what, text) => {
    await told(say, `loaded ${what}`, () => stage.sql(text.replaceAll('$scope', `'${tenantId}'::uuid, '${environment}'`)));
  };
}

/** As the service's own fold would have left the counts: members loaded past the triggers are in none. */
export async function countDownlines(
  stage: Stage,
  { tenantId, environment }: Pick<Tenant, 'tenantId' | 'environment'>,
): Promise<void> {
  await stage.sql('select rebuild_downline($1, $2)', [tenantId, environment]);
}
