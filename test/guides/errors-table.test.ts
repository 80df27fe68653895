/** The table of docs/guides/errors.md is that of the code. `npx vitest run test/guides/errors-table.test.ts -u` writes it anew. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { house } from '../../src/features.ts';
import { errorsOf } from '../../src/house/house.ts';

const FILE = path.join(import.meta.dirname, '../../docs/guides/errors.md');
const HEADING = '## All codes\n';

test('lists every code with its status and meaning', async () => {
  const [text = ''] = readFileSync(FILE, 'utf8').split(HEADING);
  const rows = Object.entries(errorsOf(house))
    .toSorted(([one, { status: first }], [other, { status: second }]) => first - second || one.localeCompare(other))
    .map(([code, { status, meaning }]) => `| ${status} | \`${code}\` | ${meaning.replaceAll('|', '\\|')} |\n`);
  const table = `\n| Status | Code | Meaning |\n| --- | --- | --- |\n${rows.join('')}`;
  await expect(`${text}${HEADING}${table}`).toMatchFileSnapshot(FILE);
});
