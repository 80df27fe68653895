/**
 * What the vendor has read from an applicant's papers, as it comes over the wire; most fields come as null or not at all.
 * Source: docs/specification/verification.md#findings.
 */
import { z } from 'zod';
import type { VendorFindings } from './kyc-vendor.ts';
import { reviewShape } from './review-shape.ts';

const text = z.string().max(1000).nullish();

export const applicantShape = z.object({
  /** What was read; `fixedInfo`, what we have sent, stands beside it. */
  info: z
    .object({
      firstName: text,
      lastName: text,
      dob: text,
      country: text,
      tin: text,
      idDocs: z.array(z.object({ number: text, additionalNumber: text })).nullish(),
    })
    .nullish(),
  review: reviewShape.nullish(),
});

/** By the name of the step. Null: nothing was sent in for it. */
export const stepsShape = z.record(
  z.string(),
  z
    .object({
      idDocType: text,
      reviewResult: z.object({ reviewAnswer: text, moderationComment: text }).nullish(),
    })
    .nullish(),
);

const VERDICTS: Readonly<Record<string, 'accepted' | 'rejected'>> = { GREEN: 'accepted', RED: 'rejected' };

export function toFindings(applicant: z.output<typeof applicantShape>, steps: z.output<typeof stepsShape>): VendorFindings {
  const { info, review } = applicant;
  const numbers = [...(info?.idDocs ?? []).flatMap(({ number, additionalNumber }) => [number, additionalNumber]), info?.tin];
  return {
    givenName: info?.firstName ?? null,
    surname: info?.lastName ?? null,
    dateOfBirth: info?.dob ?? null,
    countryCode: info?.country ?? null,
    idNumbers: numbers.flatMap((number) => (number == null || number === '' ? [] : [number])),
    documents: Object.entries(steps).map(([step, found]) => ({
      documentType: found?.idDocType ?? step,
      verdict: VERDICTS[found?.reviewResult?.reviewAnswer ?? ''] ?? 'pending',
      words: found?.reviewResult?.moderationComment ?? null,
    })),
    review: review ?? { reviewStatus: 'init' },
  };
}
