/** Numbers and columns as a person reads them. All amounts are minor units of two-digit currencies. */

export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** 123456 is 1,234.56; the digits are placed as text, never divided. */
export function formatAmount(amountMinor: number): string {
  const digits = String(Math.abs(amountMinor)).padStart(3, '0');
  return `${amountMinor < 0 ? '-' : ''}${formatCount(Number(digits.slice(0, -2)))}.${digits.slice(-2)}`;
}

export function formatMoney(amountMinor: number, currency: string): string {
  return `${formatAmount(amountMinor)} ${currency}`;
}

/** The API's number of major units, exact to the cent, as minor units. */
export function toMinor(amountMajor: number): number {
  return Math.round(amountMajor * 100);
}

/** Hundredths of a per cent: 250 is 2.5 %. */
export function formatRate(bps: number): string {
  return `${bps / 100} %`;
}

/** Left-aligned columns, except those in `right`; two spaces between. */
export function columns(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const widths: number[] = [];
  for (const row of rows) for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  return rows.map((row) =>
    row
      .map((cell, index) => (right.includes(index) ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
