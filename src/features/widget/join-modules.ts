/**
 * Modules that are always needed together, in one file: a browser asks once for them. No name stands at the top of two of
 * them; a test reads the file that they make.
 */

/** Of the frame: what its first view needs, the last with the name of all. */
export const FIRST_MODULES = ['kit.js', 'connection.js', 'theme.js', 'look.js', 'summary.js', 'frame.js'] as const;

const IMPORT = /^import \{([^}]*)\} from '\.\/([\w-]+)\.js';\n?/gm;

/**
 * Puts modules behind each other, those first that others need. The last gives the file its name, and whoever imports one
 * of the others gets it from there. Throws for one that is not there, and for an import by another name or of another form.
 */
export function joinModules(modules: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  const into = names.at(-1) ?? '';
  const joined = new Set(names);
  const result: Record<string, string> = {};
  for (const [name, text] of Object.entries(modules)) {
    if (joined.has(name)) continue;
    result[name] = text.replaceAll(/(from|import\() ?'\.\/([\w-]+\.js)'/g, (whole, word: string, from: string) => {
      if (!joined.has(from)) return whole;
      return word === 'from' ? `from './${into}'` : `import('./${into}'`;
    });
  }
  const parts = names.map((name) => {
    const text = modules[name];
    if (text === undefined) throw new Error(`there is no module ${name}`);
    return withoutImports(name, text, joined);
  });
  return { ...result, [into]: parts.join('\n') };
}

function withoutImports(name: string, text: string, joined: ReadonlySet<string>): string {
  const left = text.replaceAll(IMPORT, (whole, imported: string, from: string) => {
    if (!joined.has(`${from}.js`)) return whole;
    if (/\bas\b/.test(imported)) throw new Error(`${name} imports by another name: ${whole}`);
    return '';
  });
  for (const other of joined) {
    if (left.includes(`'./${other}'`)) throw new Error(`${name} imports ${other} in a form that is not known here`);
  }
  return left;
}
