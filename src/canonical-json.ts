/** JSON with sorted keys, so that equal values have equal text whatever order their keys came in. */
export function canonicalJson(value: unknown): string {
  const text: string | undefined = JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === 'bigint') return item.toString();
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
  return text ?? '';
}
