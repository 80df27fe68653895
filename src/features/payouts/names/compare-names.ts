/**
 * Whether an account is held under a person's name, or a business's. Case, accents, signs and the order of the words
 * do not count; an initial stands for the name that it begins. Every word counts: one more or one less is another name.
 * Names in different scripts are different: whether they are the same person's, somebody has to say.
 * Source: docs/specification/payouts.md#holder-name.
 */

export interface PersonName {
  givenName: string | null;
  surname: string | null;
}

/** Whether the person has a name to compare with. */
export function isComparable({ givenName, surname }: PersonName): boolean {
  return wordsOf(givenName ?? '').length + wordsOf(surname ?? '').length > 0;
}

export function isHeldByPerson(holder: string, { givenName, surname }: PersonName): boolean {
  const given = wordsOf(givenName ?? '');
  const family = wordsOf(surname ?? '');
  const held = wordsOf(holder);
  return (
    isSameText(held, [...given, ...family]) ||
    isSameText(held, [...family, ...given]) ||
    areSamePeople(held, [...given, ...family])
  );
}

/** Here a letter is a word like others. */
export function isHeldByBusiness(holder: string, businessName: string | null): boolean {
  const held = wordsOf(holder);
  const named = wordsOf(businessName ?? '');
  return held.length > 0 && (isSameText(held, named) || withoutPairs(held, named)?.every((rest) => rest.length === 0) === true);
}

/** A word as it may be written: with the accents left out, and with the letters that stand for them. */
interface Word {
  plain: string;
  spelt: string;
}

const APOSTROPHES = /['’‘ʼ`´ʹʻ]/gu;
/** Of Latin, Greek and Cyrillic letters. Other scripts have vowels and sounds among their marks. */
const ACCENTS = /[\u0300-\u036f]/gu;
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  þ: 'th',
  ħ: 'h',
};
const SPELT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

function wordsOf(name: string): Word[] {
  const words = name.normalize('NFKC').toLowerCase().normalize('NFC').replaceAll('ς', 'σ').replace(APOSTROPHES, '');
  return (
    words.match(/[\p{L}\p{M}\p{N}]+/gu)?.map((word) => ({ plain: plainOf(word), spelt: plainOf(replaced(word, SPELT)) })) ?? []
  );
}

function plainOf(word: string): string {
  return replaced(word.normalize('NFD').replace(ACCENTS, '').normalize('NFC'), PLAIN);
}

function replaced(word: string, letters: Readonly<Record<string, string>>): string {
  return Array.from(word, (letter) => letters[letter] ?? letter).join('');
}

function isSame(one: Word, other: Word): boolean {
  return one.plain === other.plain || one.spelt === other.spelt || one.plain === other.spelt || one.spelt === other.plain;
}

/** However it is parted into words: names of some scripts are not parted at all. */
function isSameText(some: readonly Word[], others: readonly Word[]): boolean {
  const joined = (words: readonly Word[]): Word => ({
    plain: words.map(({ plain }) => plain).join(''),
    spelt: words.map(({ spelt }) => spelt).join(''),
  });
  return some.length > 0 && isSame(joined(some), joined(others));
}

/** What is left of both when equal words are taken away in pairs; undefined where there was none of more than a letter. */
function withoutPairs(some: readonly Word[], others: readonly Word[], keepsInitials = false): [Word[], Word[]] | undefined {
  const left = [...others];
  let paired = false;
  const rest = some.filter((word) => {
    if (keepsInitials && isInitial(word)) return true;
    const at = left.findIndex((other) => isSame(word, other));
    if (at === -1) return true;
    left.splice(at, 1);
    paired = true;
    return false;
  });
  return paired ? [rest, left] : undefined;
}

/** Words that are equal, one at least; then initials, each for a word or an initial of the other name. */
function areSamePeople(some: readonly Word[], others: readonly Word[]): boolean {
  if (some.length !== others.length) return false;
  const rests = withoutPairs(some, others, true);
  if (!rests) return false;
  const [one, other] = rests.map(countLetters) as [Letters, Letters];
  const letters = new Set([...one.keys(), ...other.keys()]);
  return [...letters].every((letter) => {
    const [a = NONE, b = NONE] = [one.get(letter), other.get(letter)];
    return a.words + a.initials === b.words + b.initials && a.words <= b.initials && b.words <= a.initials;
  });
}

interface Count {
  words: number;
  initials: number;
}

type Letters = Map<string, Count>;

const NONE: Count = { words: 0, initials: 0 };

function countLetters(words: readonly Word[]): Letters {
  const counts: Letters = new Map();
  for (const word of words) {
    const letter = Array.from(word.plain)[0] ?? '';
    const { words: whole, initials } = counts.get(letter) ?? NONE;
    counts.set(letter, isInitial(word) ? { words: whole, initials: initials + 1 } : { words: whole + 1, initials });
  }
  return counts;
}

/** Where a letter is not a word: in Chinese a sign may be a whole name. */
function isInitial({ plain }: Word): boolean {
  return /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]$/u.test(plain);
}
