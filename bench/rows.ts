/**
 * What `npm run bench` measures: each case by its name on the command line, the rows that it writes into results.md, and the
 * seconds that it may take alone on two cores, its loading included. `further` cases run when they are named, or with `--all`.
 */

/** Of the rounds and of what is loaded. */
export type Size = 'quick' | 'full' | 'large';

interface Entry {
  rows: readonly string[];
  seconds: number;
  /** A row of the table in docs/performance.md: measured when nothing is named. */
  ofTable: boolean;
}

/** Of a whole run, with a minute to spare. */
export const MOST_SECONDS = 24 * 60;
/** For PostgreSQL and the service. */
const START_SECONDS = 20;

const table = (seconds: number, ...rows: string[]): Entry => ({ rows, seconds, ofTable: true });
const further = (seconds: number, ...rows: string[]): Entry => ({ rows, seconds, ofTable: false });

/** In the order in which they run: large data comes late, for every table is shared. */
export const ENTRIES = {
  read: table(86, 'read', 'read, PostGraphile', 'read, Fastify and pg'),
  create: table(48, 'create', 'create, Fastify and pg'),
  redirect: table(35, 'redirect'),
  purchase: table(
    140,
    'purchase',
    'purchase, each by itself',
    'purchase, 1 client',
    'purchase, 1 client, each by itself',
    'purchase, 128 clients',
    'purchase, 128 clients, each by itself',
  ),
  'ruled-purchase': further(60, 'purchase, ten rules and a ladder'),
  'told-purchase': further(120, 'purchase, an endpoint hears nothing of it', 'purchase, an endpoint hears all'),
  neighbours: further(110, 'purchase, beside another tenant', 'neighbour'),
  'cold-start': table(20, 'cold start'),
  memory: table(75, 'memory'),
  clear: table(150, 'clear'),
  payout: table(160, 'payout'),
  'payout-screens': further(120, 'payout-screens'),
  import: table(110, 'import'),
  verify: table(110, 'verify, whole'),
  'verify-routine': table(15, 'verify, routine'),
  genealogy: table(138, 'genealogy'),
  relationship: table(25, 'relationship'),
  summary: table(57, 'summary'),
  due: table(66, 'due'),
  deliver: table(80, 'deliver'),
  growth: table(90, 'growth'),
  flood: further(260, 'flood'),
  pages: further(600, 'pages'),
  widget: further(200, 'widget'),
  'payment-events': further(300, 'payment-events'),
  'kyc-events': further(300, 'kyc-events'),
} satisfies Record<string, Entry>;

export type CaseName = keyof typeof ENTRIES;

export const CASE_NAMES = Object.keys(ENTRIES) as CaseName[];

export const isCaseName = (name: string): name is CaseName => Object.hasOwn(ENTRIES, name);

/** Of these cases together, with the start. */
export const budgetOf = (names: readonly CaseName[]): number =>
  names.reduce((sum, name) => sum + ENTRIES[name].seconds, START_SECONDS);
