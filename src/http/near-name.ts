/** What somebody may have meant by a name that is not known. */

/** Longer names are not compared: nobody mistypes so much, and comparing takes the product of both lengths. */
const LONGEST = 40;

/** The known name that is the same but for case and separators, else one that a slip of the keyboard tells from it. */
export function nearName(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined;
  const bare = bareOf(name);
  if (bare === '') return undefined;
  const same = known.find((candidate) => bareOf(candidate) === bare);
  if (same !== undefined) return same;
  const slips = slipsIn(bare);
  let nearest: string | undefined;
  let least = slips + 1;
  for (const candidate of known) {
    const distance = distanceOf(bare, bareOf(candidate), slips);
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  return nearest;
}

/** `userId`, `user_id` and `User-ID` are one. */
function bareOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Short names are near to too many others. */
function slipsIn(name: string): number {
  return name.length < 4 ? 0 : name.length < 8 ? 1 : 2;
}

/** Letters left out, put in, exchanged, or two turned round (optimal string alignment); any more than `most` is Infinity. */
function distanceOf(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most || other.length > LONGEST) return Infinity;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isTurned = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isTurned ? (before[column - 2] ?? Infinity) + 1 : Infinity,
        ),
      );
    }
    before = last;
    last = next;
  }
  const distance = last[other.length] ?? Infinity;
  return distance > most ? Infinity : distance;
}
