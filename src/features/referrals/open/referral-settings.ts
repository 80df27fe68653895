/** How a tenant attributes in one environment. Source: docs/referrals.md#attribution. */
import type { AttributionModel } from '../../attribution/open/decide-attribution.ts';

export interface ReferralSettings {
  attributionModel: AttributionModel;
  /** A click older than this credits nobody. */
  attributionWindowDays: number;
  /** Where a link may lead: a host name, or `*.name` for every host below it. */
  allowedDestinationHosts: string[];
  /** Null: leads do not expire. */
  leadExpiryDays: number | null;
}

/** Of a tenant that has set nothing. */
export const REFERRAL_DEFAULTS = {
  attributionModel: 'last_click',
  attributionWindowDays: 60,
  allowedDestinationHosts: [],
  leadExpiryDays: 180,
} satisfies ReferralSettings;
