/**
 * Parameters by name. PostgreSQL knows them by number alone, so the names of a text are turned into numbers once, when
 * the statement is declared.
 */

export interface Numbered {
  /** With `$1` where the text says `:tenantId`. */
  readonly text: string;
  /** The name of each number: the first is `$1`. */
  readonly names: readonly string[];
}

/** What may hold a colon or a dollar and is no parameter comes first, and is passed over whole. */
const TOKENS = new RegExp(
  [
    /\b[eE]'(?:[^'\\]|\\.|'')*'/, // a literal with escapes
    /'(?:[^']|'')*'/,
    /"(?:[^"]|"")*"/,
    /--[^\n]*/,
    /\/\*[\s\S]*?\*\//,
    /\$(?<tag>(?:[A-Za-z_]\w*)?)\$[\s\S]*?\$\k<tag>\$/, // a literal between dollars
    /::/,
    /:(?<name>[A-Za-z_]\w*)/,
    /\$(?<number>\d+)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/**
 * Gives each name its number: the tenant and the environment come first, the others as the text names them. Casts
 * (`::uuid`), literals, quoted identifiers and comments are left as they are. A slice of an array must be written with
 * spaces, `a[1 : 2]`, for `:n` is a name. Throws on a name that is not `known`, and on a number.
 */
export function numberParameters(statement: string, text: string, known: ReadonlySet<string>): Numbered {
  const others: string[] = [];
  const places = new Map<string, number>();
  const pieces: (string | { name: string })[] = [];
  let done = 0;
  for (const found of text.matchAll(TOKENS)) {
    const { name, number } = found.groups ?? {};
    if (number !== undefined) throw new Error(`the statement ${statement} has a number for a parameter: $${number}`);
    if (name === undefined) continue;
    if (!known.has(name)) throw new Error(`the statement ${statement} has no parameter for :${name}`);
    if (!places.has(name)) {
      places.set(name, 0);
      if (!SCOPE.includes(name)) others.push(name);
    }
    pieces.push(text.slice(done, found.index), { name });
    done = found.index + found[0].length;
  }
  const names = [...SCOPE.filter((name) => places.has(name)), ...others];
  for (const [index, name] of names.entries()) places.set(name, index + 1);
  const numbered = pieces.map((piece) => (typeof piece === 'string' ? piece : `$${places.get(piece.name)}`)).join('');
  return { text: numbered + text.slice(done), names };
}

const SCOPE: readonly string[] = ['tenantId', 'environment'];
