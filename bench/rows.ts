/**
 * What `npm run bench` measures: each case by its name on the command line, the rows that it writes into results.md, and how
 * many seconds it may take alone on two cores, its loading included. Together they are to take 25 minutes at most. The cases
 * that are not of the table of docs/performance.md run when they are named, or with `--all`.
 */

export interface Entry {
  rows: readonly string[];
  /** Budget. */
  seconds: number;
  /** One of the table's rows: measured when nothing is named. */
  ofTable: boolean;
}

/** For PostgreSQL and the service. */
export const START_SECONDS = 20;
export const MOST_SECONDS = 25 * 60;

const table = (seconds: number, ...rows: string[]): Entry => ({ rows, seconds, ofTable: true });
const further = (seconds: number, ...rows: string[]): Entry => ({ rows, seconds, ofTable: false });

/** In the order in which they run: large data comes late, for every table is shared. */
export const ENTRIES = {
  // Four contenders; and the members that several cases work on are loaded.
  read: table(115, 'read', 'read, PostGraphile', 'read, Fastify and pg'),
  create: table(65, 'create', 'create, Fastify and pg'),
  redirect: table(45, 'redirect'),
  purchase: table(125, 'purchase', 'purchase, 1 client', 'purchase, 128 clients'),
  'ruled-purchase': further(60, 'purchase, ten rules and a ladder'),
  'told-purchase': further(120, 'purchase, an endpoint hears nothing of it', 'purchase, an endpoint hears all'),
  'cold-start': table(40, 'cold start'),
  memory: table(125, 'memory'),
  clear: table(75, 'clear'),
  // 5 × 2,000 payouts, after a run over 100,000 members.
  payout: table(100, 'payout'),
  'payout-screens': further(120, 'payout-screens'),
  // 5 × 50,000 members.
  import: table(100, 'import'),
  // Twice a million postings, loaded and sealed.
  verify: table(75, 'verify, whole'),
  'verify-routine': table(65, 'verify, routine'),
  // The tree of a million members comes first.
  genealogy: table(145, 'genealogy'),
  relationship: table(40, 'relationship'),
  summary: table(60, 'summary'),
  due: table(100, 'due'),
  deliver: table(80, 'deliver'),
  // 0.1 and 1 million lines; with --large another four minutes for 5 million.
  growth: table(100, 'growth'),
  flood: further(260, 'flood'),
  pages: further(600, 'pages'),
  widget: further(200, 'widget'),
  'payment-events': further(300, 'payment-events'),
  'kyc-events': further(300, 'kyc-events'),
} as const satisfies Record<string, Entry>;

export type CaseName = keyof typeof ENTRIES;

export const CASE_NAMES = Object.keys(ENTRIES) as CaseName[];

export const isCaseName = (name: string): name is CaseName => Object.hasOwn(ENTRIES, name);

/** Of these cases together, with the start. */
export function budgetOf(names: readonly CaseName[]): number {
  return names.reduce((sum, name) => sum + ENTRIES[name].seconds, START_SECONDS);
}
