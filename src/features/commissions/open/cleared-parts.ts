/** Lines that a batch has cleared, in parts that an event each tells of. */

/** An event names no more lines than these. */
export const MOST_IDS = 500;

export interface ClearedLine {
  id: string;
  memberId: string;
  currency: string;
  amountMinor: bigint;
}

/** One event's worth each: a member's lines, at most as many as an event names. */
export function clearedParts(lines: readonly ClearedLine[]) {
  return [...Map.groupBy(lines, ({ memberId }) => memberId)].flatMap(([userId, own]) =>
    Array.from({ length: Math.ceil(own.length / MOST_IDS) }, (_, n) => {
      const part = own.slice(n * MOST_IDS, (n + 1) * MOST_IDS);
      const totals = [...Map.groupBy(part, (line) => line.currency)].map(([currencyOf, same]) => ({
        currency: currencyOf,
        amountMinor: Number(same.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)),
      }));
      return { userId, totals, commissionIds: part.map(({ id }) => id) };
    }),
  );
}
