/** API keys for the fuzzer, with which nobody calls. */
import { mostlyOwn, type PlantSeeds } from '../../support/openapi/feature-seeds.ts';

export const seeds: PlantSeeds = (ground) => ({
  keyId: mostlyOwn(ground, 3, ({ keyIds }) => keyIds.toRoll),
});
