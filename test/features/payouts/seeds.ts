/** Payout runs, payouts and accounts for the fuzzer. */
import { mostlyOwn, type PlantSeeds } from '../../support/openapi/feature-seeds.ts';
import { plantPayout } from './matrix.ts';

/** As many in each state as the runs may use up; more of those that a time must suit too. */
export const seeds: PlantSeeds = async (ground) => {
  const { world, side, runs } = ground;
  const states = [
    ['draft', 'queued', 1],
    ['approved', 'queued', 1],
    ['executing', 'processing', 4],
    ['completed', 'paid', 1],
    ['partially_failed', 'failed', 1],
  ] as const;
  const planted = [];
  for (const [run, payout, weight] of states) {
    for (let i = 0; i < (weight * runs) / 2; i++) planted.push(await plantPayout(world.app, side, run, payout));
  }
  return {
    runId: planted.map(({ runId }) => runId),
    payoutId: planted.map(({ payoutId }) => payoutId),
    accountId: mostlyOwn(ground, 12, ({ payee }) => payee.accountId),
  };
};
