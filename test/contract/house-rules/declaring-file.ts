/** Where every statement is made, whoever declares it. */
const BUILDERS = new Set(['src/db/query.ts', 'src/db/statement.ts']);

/** The file that is declaring a statement right now: the nearest caller that is not of those who declare for others. */
export function declaringFile(): string {
  const calls = (new Error('where').stack ?? '').split('\n').slice(1);
  // Behind the module that is being loaded stands the loader, and behind that whoever imports the module.
  const loader = calls.findIndex((line) => line.includes('node_modules'));
  const files = calls
    .slice(0, loader === -1 ? undefined : loader)
    .flatMap((line) => /\/(src\/[\w/.-]+\.ts)/.exec(line)?.[1] ?? []);
  return files.find((file) => !/^src\/(db|house)\//.test(file)) ?? files.find((file) => !BUILDERS.has(file)) ?? 'nowhere';
}
