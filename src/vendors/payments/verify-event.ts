/** Whether the payment vendor signed a delivery. Source: docs/specification/webhooks.md#payment-signature. */
import { Stripe } from 'stripe';

/** Both ways: the vendor's library takes a signature of the future for good. */
const TOLERANCE_SECONDS = 300;

const { signature } = Stripe.webhooks;

/** `header` is of the form `t=<unix seconds>,v1=<hex>[,v1=…]`; any of its v1 may match. */
export function isSignedBy(rawBody: Buffer, header: string | undefined, secret: string): boolean {
  const signedAt = timeOf(header);
  if (header === undefined || signedAt === undefined || signedAt > Date.now() / 1000 + TOLERANCE_SECONDS) return false;
  try {
    return signature?.verifyHeader(rawBody, header, secret, TOLERANCE_SECONDS) === true;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
    throw error;
  }
}

/** Undefined unless it has exactly one time: of a header that came twice the library takes the last. */
function timeOf(header = ''): number | undefined {
  const times = header.split(',').filter((part) => part.trim().startsWith('t='));
  const [time = ''] = times;
  return times.length === 1 && /^t=\d{1,12}$/.test(time) ? Number(time.slice(2)) : undefined;
}
