/**
 * Rehearses what operators do: `npm run drill -- NAME… [--quick]`, or `all`; without a name it lists them. Each drill ends in
 * one line of figures, and the exit code is 1 when one has broken a promise. What commands a drill has run is kept in
 * `drill/ran`, which the test of the runbooks reads.
 */
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Drill, runDrill } from './kit.ts';

const SUFFIX = '-drill.ts';

async function listDrills(): Promise<Drill[]> {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith(SUFFIX));
  const modules = files.toSorted().map((file) => import(path.join(import.meta.dirname, file)) as Promise<{ drill: Drill }>);
  return (await Promise.all(modules)).map(({ drill }) => drill);
}

const words = process.argv.slice(2);
const quick = words.includes('--quick');
const names = words.filter((word) => !word.startsWith('--'));
const drills = await listDrills();
const unknown = names.filter((name) => name !== 'all' && !drills.some((drill) => drill.name === name));
if (names.length === 0 || unknown.length > 0) {
  for (const { name, title } of drills) process.stdout.write(`${name.padEnd(20)} ${title}\n`);
  process.exit(unknown.length > 0 ? 1 : 0);
}

for (const drill of drills.filter(({ name }) => names.includes(name) || names.includes('all'))) {
  process.stdout.write(`drill ${drill.name}: ${drill.title}\n`);
  const outcome = await runDrill(drill, { quick, say: (line) => void process.stdout.write(`${line}\n`) });
  for (const broken of outcome.broken) process.stdout.write(`  broken: ${broken}\n`);
  if (outcome.ok) {
    const file = path.join(import.meta.dirname, 'ran', `${drill.name}.txt`);
    await writeFile(file, outcome.commands.map((command) => `${command}\n`).join(''));
  } else {
    process.exitCode = 1;
  }
  const figures = Object.entries(outcome.figures).map(([name, value]) => `${name}=${value}`);
  process.stdout.write(`drill ${drill.name}: ${figures.join(' ')}; ${outcome.ok ? 'ok' : 'FAILED'}\n`);
}
process.exit();
