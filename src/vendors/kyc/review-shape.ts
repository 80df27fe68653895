/**
 * A review as it comes over the wire or is kept; many fields come as null.
 * Source: docs/specification/webhooks.md#kyc-payload.
 */
import { z } from 'zod';

export const reviewShape = z.object({
  reviewStatus: z.string(),
  reviewResult: z
    .object({
      reviewAnswer: z.string().nullish(),
      reviewRejectType: z.string().nullish(),
      rejectLabels: z.array(z.string()).nullish(),
      moderationComment: z.string().nullish(),
    })
    .nullish(),
});
