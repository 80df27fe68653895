/** Countries of ISO 3166-1. */
import countries from 'i18n-iso-countries/index.js';
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };

// The library's own entry reads the names of all its 80 languages; we say one.
countries.registerLocale(english);

export { countries };

const ALPHA_2 = countries.getAlpha2Codes();

/** By its own code of two letters, in capitals: the library would also take a number for a country. */
export function isCountry(code: string): boolean {
  return Object.hasOwn(ALPHA_2, code);
}
