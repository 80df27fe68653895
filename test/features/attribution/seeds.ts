/** Receipts for the fuzzer. */
import { mostlyOwn, type PlantSeeds } from '../../support/openapi/feature-seeds.ts';

export const seeds: PlantSeeds = (ground) => ({
  receipt_id: mostlyOwn(ground, 12, ({ lead }) => lead.receiptId),
});
