/**
 * Text in the letters that a PDF's standard fonts have: Windows-1252. Other letters on a Latin base lose
 * their marks; what has none is left to the caller, for a guess at somebody's name would be a wrong name.
 */

const WINDOWS_1252 = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
/** Letters that no decomposition leads to. */
const BASES: Readonly<Record<string, string>> = { Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', Ħ: 'H', ħ: 'h', ı: 'i', ŋ: 'n', ẞ: 'SS' };

function isShown(character: string): boolean {
  return /^[\x20-\x7e\xa0-\xff]$/.test(character) || WINDOWS_1252.includes(character);
}

/** Undefined when there is a letter that cannot be shown. */
export function toLatin(text: string): string | undefined {
  const shown = Array.from(text.normalize('NFC'), (character) => {
    if (isShown(character)) return character;
    const base = BASES[character] ?? character.normalize('NFD').replaceAll(/\p{M}/gu, '');
    return Array.from(base).every(isShown) ? base : undefined;
  });
  return shown.some((character) => character === undefined) ? undefined : shown.join('');
}
