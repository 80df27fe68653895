/** Verifications and documents for the fuzzer. */
import { mostlyOwn, type PlantSeeds } from '../../support/openapi/feature-seeds.ts';

export const seeds: PlantSeeds = (ground) => ({
  kycId: mostlyOwn(ground, 60, ({ kycReview }) => kycReview.kycId),
  documentId: mostlyOwn(ground, 60, ({ kycReview }) => kycReview.documentId),
});
