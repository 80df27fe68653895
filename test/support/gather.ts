/** What the features' own test files hand to a test of all features: found by the names of the files, listed nowhere. */
import { globSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');

interface Export {
  file: string;
  name: string;
  value: unknown;
}

/** Each export of each `test/features/<feature>/<pattern>`, in the order of the files' names. */
export async function gatherFromFeatures(pattern: string): Promise<Export[]> {
  const found: Export[] = [];
  for (const file of globSync(`test/features/*/${pattern}`, { cwd: root }).toSorted()) {
    const module = (await import(path.join(root, file))) as Record<string, unknown>;
    found.push(...Object.entries(module).map(([name, value]) => ({ file, name, value })));
  }
  return found;
}
