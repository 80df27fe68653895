/** Identity providers for the fuzzer; some may be deleted. */
import { randomUUID } from 'node:crypto';
import { mostlyOwn, type PlantSeeds } from '../../support/openapi/feature-seeds.ts';

export const seeds: PlantSeeds = (ground) => ({
  identityId: mostlyOwn(ground, 2, () => randomUUID()),
  authProviderId: [
    ...mostlyOwn(ground, 60, ({ authProvider }) => authProvider.id),
    ...ground.side.spareAuthProviderIds.slice(0, 60),
  ],
});
