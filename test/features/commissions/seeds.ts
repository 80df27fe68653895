/** Commission plans for the fuzzer; some may be deleted. */
import { mostlyOwn, type PlantSeeds } from '../../support/openapi/feature-seeds.ts';

export const seeds: PlantSeeds = (ground) => ({
  planId: [...mostlyOwn(ground, 120, ({ planId }) => planId), ...ground.side.sparePlanIds.slice(0, 60)],
});
