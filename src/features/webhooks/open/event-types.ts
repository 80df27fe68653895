/** Which types of events an endpoint hears. Source: docs/specification/webhooks.md#endpoints. */

/** Whether one of the patterns stands for the type: `*`, a first word as `payout.*`, or the type itself. */
export function matchesType(patterns: readonly string[], type: string): boolean {
  return patterns.some((pattern) => pattern === '*' || pattern === type || pattern === `${firstWord(type)}.*`);
}

/** The same in SQL, of an array of patterns and a type. */
export const matchesTypeSql = (patterns: string, type: string): string =>
  `(${patterns} && array['*', ${type}, split_part(${type}, '.', 1) || '.*'])`;

/** Whether the text stands for one type at least. */
export function isPattern(text: string, types: Iterable<string>): boolean {
  return [...types].some((type) => matchesType([text], type));
}

function firstWord(type: string): string {
  return type.slice(0, type.indexOf('.'));
}
