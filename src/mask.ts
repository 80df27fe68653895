/** Numbers of people, shown by their end only. */

/** Four characters, but never more than half of a short number. */
export function endOf(number: string): string {
  const characters = Array.from(number);
  return characters.slice(-Math.min(4, Math.floor(characters.length / 2))).join('');
}

export function masked(lastFour: string): string {
  return `•••• ${lastFour}`;
}
