/** Under which of the vendor's agreements a connected account is made. Source: vendors.md §2.2. */

const EEA = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE IS LI NO'.split(' ');
/** Among these money crosses borders under the full agreement. */
const REGION = new Set([...EEA, 'US', 'CA', 'GB', 'CH']);

/**
 * 'recipient': the account may only receive transfers. Undefined: the vendor's default, the full agreement,
 * for it refuses the other where platform and account share a country. Both are ISO 3166-1 alpha-2.
 */
export function serviceAgreement(platformCountry: string | null, accountCountry: string): 'recipient' | undefined {
  if (platformCountry === null || platformCountry === accountCountry) return undefined;
  return REGION.has(platformCountry) && REGION.has(accountCountry) ? undefined : 'recipient';
}
