/** A payment vendor bound to the account of one tenant in one environment. */
import type { PaymentVendor } from './payment-vendor.ts';

type Unbound = PaymentVendor<unknown>;

/** Each call as of PaymentVendor, without the account. */
export type BoundPaymentVendor = {
  [Call in keyof Unbound]: Unbound[Call] extends (account: unknown, ...rest: infer Rest) => infer Answer
    ? (...rest: Rest) => Answer
    : never;
};
