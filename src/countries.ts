/** Countries of ISO 3166-1. */
import countries from 'i18n-iso-countries';

const ALPHA_2 = countries.getAlpha2Codes();

/** By its own code of two letters, in capitals: the library would also take a number for a country. */
export function isCountry(code: string): boolean {
  return Object.hasOwn(ALPHA_2, code);
}
