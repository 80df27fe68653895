/**
 * The same purchase, one client, in tenants with more and more commission lines, each in a database and a service of its own;
 * and what a purchase and what is stored cost: write-ahead log, and bytes of tables with their indexes.
 */
import { randomUUID } from 'node:crypto';
import { measureSizes } from '../../src/doctor/sizes.ts';
import { house } from '../../src/features.ts';
import { type Figure, oneAfterAnother, type Timed, type TimedCase, type TimedPlan, type Times } from '../answer-times.ts';
import { type DataSet, LINES_OF_A_SALE_EACH, loadDataSet } from '../data-set.ts';
import type { Size } from '../rows.ts';
import type { Stage } from '../stage.ts';
import { purchaseBody } from './purchase.ts';

const PLAN: TimedPlan = { rounds: 5, seconds: 2, warmUpSeconds: 4 };
const QUICK_PLAN: TimedPlan = { rounds: 1, seconds: 2, warmUpSeconds: 1 };
/** Sales of each seller: 0.1, 1 and 5 million lines. */
const SALES: Record<Size, number[]> = { quick: [1, 2], full: [1, 10], large: [1, 10, 50] };

/** One of the databases. */
interface Sized {
  name: string;
  own: Stage;
  url: string;
  timed: Timed;
  /** What a purchase has cost, by the times of its round. */
  costs: WeakMap<Times, Cost>;
}

interface Cost {
  walBytes: number;
  /** By how much the database has grown: its tables with their indexes. */
  diskBytes: number;
}

export async function growthCase(stage: Stage, size: Size, say: (line: string) => void): Promise<TimedCase> {
  const all: Sized[] = [];
  for (const sales of SALES[size]) all.push(await prepare(stage, sales, say));
  // What was loaded is not written out while purchases are measured. They warm up behind it: a checkpoint makes the first
  // change of each page cost the page.
  await stage.sql('checkpoint');
  const [least, most] = [all[0], all.at(-1)];
  if (!least || !most) throw new Error('growth: there are no sizes');
  const stored = await storedBytes(most);
  const costOf = ({ name, costs }: Sized, round: Record<string, Times>): Cost => {
    const times = round[`a purchase at ${name}`];
    return (times && costs.get(times)) ?? { walBytes: Number.NaN, diskBytes: Number.NaN };
  };
  const figures = all.flatMap((sized): Figure[] => [
    { name: `write-ahead log of a purchase at ${sized.name}`, unit: 'kB', of: (round) => costOf(sized, round).walBytes / 1000 },
    { name: `disk of a purchase at ${sized.name}`, unit: 'kB', of: (round) => costOf(sized, round).diskBytes / 1000 },
  ]);
  return {
    name: 'growth',
    plan: size === 'quick' ? QUICK_PLAN : PLAN,
    timed: Object.fromEntries(all.map(({ name, timed }) => [`a purchase at ${name}`, timed])),
    figures: [
      ...all.slice(1).map(
        (sized): Figure => ({
          name: `a purchase, ${least.name} → ${sized.name}`,
          unit: '×',
          of: (round) =>
            (round[`a purchase at ${sized.name}`]?.p50 ?? Number.NaN) / (round[`a purchase at ${least.name}`]?.p50 ?? Number.NaN),
        }),
      ),
      ...figures,
      ...stored.map(([name, bytes]): Figure => ({ name: `disk of ${name} at ${most.name}`, unit: 'bytes', of: () => bytes })),
    ],
    async close() {
      for (const { own, url } of all) await own.stopService(url);
    },
  };
}

async function prepare(stage: Stage, sales: number, say: (line: string) => void): Promise<Sized> {
  const own = await stage.openDatabase(`svc_bench_growth_${sales}`);
  const data = await loadDataSet(own, say, sales);
  const url = await own.startService();
  const costs = new WeakMap<Times, Cost>();
  const run = async (seconds: number): Promise<Times> => {
    const before = await sizesOf(own);
    let purchases = 0;
    const times = await oneAfterAnother(async () => {
      await purchase(url, data);
      purchases += 1;
    }).run(seconds);
    const after = await sizesOf(own);
    costs.set(times, { walBytes: (after.wal - before.wal) / purchases, diskBytes: (after.disk - before.disk) / purchases });
    return times;
  };
  return { name: `${((sales * LINES_OF_A_SALE_EACH) / 1_000_000).toFixed(1)}M lines`, own, url, timed: { run }, costs };
}

async function purchase(url: string, data: DataSet): Promise<void> {
  const answer = await fetch(`${url}/api/v1/events/purchase`, {
    method: 'POST',
    headers: { 'x-tenant-api-key': data.apiKey, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: purchaseBody(data),
  });
  const body = await answer.text();
  if (!answer.ok) throw new Error(`growth: ${answer.status} ${body}`);
}

/** Of the server's write-ahead log, and of this database. */
async function sizesOf(own: Stage): Promise<{ wal: number; disk: number }> {
  const [row] = await own.sql<{ wal: number; disk: number }>(
    `select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as wal, pg_database_size(current_database())::float8 as disk`,
  );
  return row ?? { wal: Number.NaN, disk: Number.NaN };
}

/** Of the rows that were loaded, as the statistics count them. A member: with its part of all that grows with members. */
async function storedBytes({ own }: Sized): Promise<[string, number][]> {
  const { bytesPerMember, tables } = await measureSizes(own.urls.adminUrl, house.features);
  const bytesOf = (name: string): number => {
    const size = tables.find(({ table }) => table === name);
    return size ? (size.tableBytes + size.indexBytes) / size.rows : Number.NaN;
  };
  return [
    ['a member', bytesPerMember ?? Number.NaN],
    ['a commission line', bytesOf('commission_line')],
    ['a posting', bytesOf('posting')],
  ];
}
