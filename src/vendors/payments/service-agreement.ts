/** Under which of the vendor's agreements an account is opened. Source: docs/specification/payouts.md#service-agreement. */

const EEA = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE IS LI NO';

/** Among these the full agreement reaches across borders. */
const FULL_REACH: ReadonlySet<string> = new Set(['US', 'CA', 'GB', 'CH', ...EEA.split(' ')]);

/**
 * `recipient` where only that is allowed: the account then has transfers and nothing else. Undefined: none is
 * named, which means the full one; so too while the platform's own country is not known.
 */
export function serviceAgreement(platformCountry: string | null, accountCountry: string): 'recipient' | undefined {
  if (platformCountry === null || platformCountry === accountCountry) return undefined;
  return FULL_REACH.has(platformCountry) && FULL_REACH.has(accountCountry) ? undefined : 'recipient';
}
