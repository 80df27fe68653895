/**
 * Writes what the library knows of the service from its document: `src/schema.ts` (types, by openapi-typescript),
 * `src/operations.ts` (how each operation is called) and `src/currencies.ts` (digits behind the decimal point).
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { generateSources } from './sources.ts';

for (const [name, text] of Object.entries(await generateSources())) {
  writeFileSync(path.join(import.meta.dirname, 'src', name), text);
}
