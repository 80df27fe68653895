/** The table of docs/sizing.md, filled from results.md. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { RESULTS_FILE, rowsOf } from './results.ts';

const FILE = path.join(import.meta.dirname, '../docs/sizing.md');
const BEGIN = '<!-- figures: begin -->';
const END = '<!-- figures: end -->';

interface Wanted {
  what: string;
  row: string;
  /** How the name of a figure begins; of a rate what ours did is taken. The last of several is of the most lines. */
  figure?: string;
}

const WANTED: readonly Wanted[] = [
  { what: 'purchases by 32 clients', row: 'purchase' },
  { what: 'purchases by one client', row: 'purchase, 1 client' },
  { what: 'purchases by 128 clients', row: 'purchase, 128 clients' },
  { what: 'purchases by rules and a ladder', row: 'purchase, ten rules and a ladder' },
  { what: 'purchases that an endpoint hears of', row: 'purchase, an endpoint hears all' },
  { what: 'reads of a member', row: 'read' },
  { what: 'new members', row: 'create' },
  { what: 'clicks', row: 'redirect' },
  { what: 'write-ahead log of a purchase', row: 'growth', figure: 'write-ahead log of a purchase' },
  { what: 'disk of a purchase', row: 'growth', figure: 'disk of a purchase' },
  { what: 'a purchase in a large tenant, to one in a small one', row: 'growth', figure: 'a purchase, ' },
  { what: 'disk of a member', row: 'growth', figure: 'disk of a member' },
  { what: 'disk of a commission line', row: 'growth', figure: 'disk of a commission line' },
  { what: 'disk of a posting', row: 'growth', figure: 'disk of a posting' },
  { what: 'memory of an API', row: 'memory', figure: 'resident, most' },
  { what: 'lines cleared', row: 'clear' },
  { what: 'postings verified', row: 'verify, whole' },
  { what: 'payouts sent', row: 'payout' },
  { what: 'members imported', row: 'import' },
];

/** Fills the table; returns the file's path. */
export async function fillSizing(): Promise<string> {
  const [page, results] = await Promise.all([readFile(FILE, 'utf8'), readFile(RESULTS_FILE, 'utf8')]);
  await writeFile(FILE, sizingOf(page, results));
  return FILE;
}

export function sizingOf(page: string, results: string): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/sizing.md lacks ${BEGIN} or ${END}`);
  const lines = WANTED.map((wanted) => `| ${wanted.what} | ${wanted.row} | ${foundIn(results, wanted).join(' | ')} |`);
  const head = '| what | row | measured | at |\n|---|---|---|---|';
  return `${before}${BEGIN}\n${head}\n${lines.join('\n')}\n${END}${after}`;
}

/** The figure, and the commit and cores that it is of. */
function foundIn(results: string, { row, figure }: Wanted): [string, string] {
  const { rates, times } = rowsOf(results);
  const line = (figure === undefined ? rates : times).get(row);
  if (line === undefined) return ['–', '–'];
  const cells = line.split('|').map((cell) => cell.trim());
  const [, commit, cores] = cells.at(-2)?.split(', ') ?? [];
  return [
    figure === undefined ? (cells[2] ?? '–') : figureIn(cells[3] ?? '', figure),
    `${commit}, ${cores?.replace(/ \(.*/, '')}`,
  ];
}

function figureIn(cell: string, figure: string): string {
  const told = cell.split('<br>').findLast((text) => text.startsWith(figure));
  const [, value, unit] = /\*\*([\d.]+)\*\* \([^)]*\) ([^\s,]+)/.exec(told ?? '') ?? [];
  return value === undefined ? '–' : `${value} ${unit}`;
}
