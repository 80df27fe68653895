/**
 * A tenant with a large member tree, loaded by COPY. The shape is the same in every run and for every
 * size: members 0 to 2800 stand in a full tree of seven children each, so the upper levels hold
 * 1, 7, 49, 343 and 2401 members; each later one stands under a random earlier member of level 3 or
 * deeper, down to some 25 levels.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { countDownlines, loadUnindexed, told } from './load.ts';
import { mixed, randomNumbers } from './numbers.ts';
import type { Stage, Tenant } from './stage.ts';

const FAN_OUT = 7;
/** Members 0 to 2800: levels 0 to 4. */
const FULL_MEMBERS = 2801;
/** The first member of level 3, above which nobody is added. */
const FIRST_OPEN = 57;
const YEARS_MS = 3 * 365 * 86_400_000;
/** So many come faster into the indexes of a table that holds a larger tree already. */
const INDEXED_MEMBERS = 20_000;
const LINES_A_CHUNK = 500;
const PROGRESS_EVERY = 100_000;

export interface BigTree extends Tenant {
  members: number;
  /** By the member's number; ids rise with it, as they would had the members joined in this order. */
  idOf(index: number): string;
}

interface Shape extends BigTree {
  joinedAt(index: number): string;
}

export async function loadBigTree(stage: Stage, members: number, say: (line: string) => void): Promise<BigTree> {
  const tenant = await stage.newTenant();
  const shape = shapeOf(tenant, members);
  const named = `${members.toLocaleString('en')} members`;
  await told(say, `the tree of ${named} stands`, () => load());
  return shape;

  async function load(): Promise<void> {
    const indexMembers = await loadRows('member', named, () => copy(stage, MEMBER_COPY, memberRows(shape), members, say));
    // Side by side: the one is the work of this process too, the other all PostgreSQL's.
    await Promise.all([
      loadCodes().then(indexMembers),
      told(say, 'counted their downlines', () => countDownlines(stage, tenant)),
    ]);
    // Not for the statistics alone: an index answers by itself only where the visibility map says that all see the row.
    await told(say, 'vacuumed', () => stage.sql('vacuum (analyze) member, referral_code, downline_count, downline_month'));
  }

  async function loadCodes(): Promise<void> {
    const indexCodes = await loadRows('referral_code', 'their referral codes', () =>
      copy(stage, CODE_COPY, codeRows(shape), members),
    );
    await indexCodes();
  }

  /** Returns what makes the indexes. */
  async function loadRows(table: string, what: string, run: () => Promise<void>): Promise<() => Promise<void>> {
    const timed = (): Promise<void> => told(say, `loaded ${what}`, run);
    if (members > INDEXED_MEMBERS) {
      const index = await loadUnindexed(stage, table, timed);
      return () => told(say, `indexed ${what}`, index);
    }
    await timed();
    return async () => undefined;
  }
}

function shapeOf(tenant: Tenant, members: number): Shape {
  const first = Math.floor(Date.now() / 86_400_000) * 86_400_000 - YEARS_MS;
  const joinedMs = (index: number): number => first + Math.floor((index * YEARS_MS) / members);
  return {
    ...tenant,
    members,
    idOf: (index) => idAt(joinedMs(index), index, 1),
    joinedAt: (index) => new Date(joinedMs(index)).toISOString(),
  };
}

/** A UUIDv7 of that time, always the same for the same number. */
function idAt(ms: number, index: number, salt: number): string {
  const time = ms.toString(16).padStart(12, '0');
  const head = (mixed(index, salt) & 0xfff).toString(16).padStart(3, '0');
  const variant = ((mixed(index, salt + 1) & 0x3fff) | 0x8000).toString(16);
  const tail =
    mixed(index, salt + 2)
      .toString(16)
      .padStart(8, '0') + (mixed(index, salt + 3) & 0xffff).toString(16).padStart(4, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${head}-${variant}-${tail}`;
}

const MEMBER_COPY = `copy member (tenant_id, environment, id, email, email_norm, name, name_norm, membership_tier, parent_id, is_active,
  can_recruit, is_test_user, pay_currency, created_at) from stdin`;

const GIVEN_NAMES =
  `Amelia Oliver Sofia Mateusz Chiara Henrik Yasmin Thabo Ingrid Rafael Noor Dmitri Beatriz Callum Priya Jonas Leila Marcus
  Anneliese Kwame Freya Santiago Mei Alexander Zuzana Ibrahim Charlotte Takumi Valentina Sebastian`.split(/\s+/);
const SURNAMES =
  `Kowalski Andersen Okonkwo Fernandes Lindqvist Papadopoulos Nakamura Schneider Moreau Castellanos Novak Abdullah O'Connor
  Bergstrom Vandenberg Petrov Hashimoto Mwangi Rossi Delacroix Iyer Thompson Garcia-Lopez Haddad Bianchi Wojciechowski Jansen
  Silva Kaczmarek Rasmussen Nguyen Steinmetz Oyelaran Takahashi McAllister`.split(/\s+/);
const TIERS = ['ORDINARY', 'ORDINARY', 'ORDINARY', 'ORDINARY', 'SENIOR', 'SENIOR', 'MANAGER', 'DIRECTOR'];

function* memberRows({ tenantId, environment, members, idOf, joinedAt }: Shape): Generator<string> {
  const random = randomNumbers(members);
  const oneOf = (values: readonly string[]): string => values[Math.floor(random() * values.length)] ?? '';
  for (let i = 0; i < members; i++) {
    const isUpper = i < FULL_MEMBERS;
    const parent = isUpper ? Math.floor((i - 1) / FAN_OUT) : FIRST_OPEN + Math.floor(random() * (i - FIRST_OPEN));
    const given = oneOf(GIVEN_NAMES);
    const surname = oneOf(SURNAMES);
    const name = `${given} ${surname}`;
    const email = `${given}.${surname}.${i}@members.bench.example`;
    const isActive = isUpper || random() >= 0.05;
    yield `${tenantId}\t${environment}\t${idOf(i)}\t${email}\t${email.toLowerCase()}\t${name}\t${name.toLowerCase()}\t${
      isUpper ? 'DIRECTOR' : oneOf(TIERS)
    }\t${i === 0 ? '\\N' : idOf(parent)}\t${isActive}\ttrue\tfalse\tUSD\t${joinedAt(i)}\n`;
  }
}

const CODE_COPY = 'copy referral_code (tenant_id, environment, id, code, member_id, is_default, created_at) from stdin';
const CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

function* codeRows({ tenantId, environment, members, idOf, joinedAt }: Shape): Generator<string> {
  for (let i = 0; i < members; i++) {
    yield `${tenantId}\t${environment}\t${idAt(Date.parse(joinedAt(i)), i, 11)}\t${codeOf(i)}\t${idOf(i)}\ttrue\t${joinedAt(i)}\n`;
  }
}

/** Ten characters that look drawn: five of them are, the other five number the member. */
function codeOf(index: number): string {
  let code = '';
  for (let place = 0, left = index, drawn = mixed(index, 21); place < 5; place++) {
    code += CODE_ALPHABET.charAt(drawn % 30) + CODE_ALPHABET.charAt(left % 30);
    left = Math.floor(left / 30);
    drawn = Math.floor(drawn / 30);
  }
  return code;
}

/** The rows are whole by construction: neither keys nor triggers are checked while they are loaded. */
async function copy(
  stage: Stage,
  text: string,
  rows: Iterable<string>,
  total: number,
  say?: (line: string) => void,
): Promise<void> {
  const client = new pg.Client({ connectionString: stage.superuserUrl });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    await pipeline(Readable.from(chunks(rows, total, say), { objectMode: true, highWaterMark: 4 }), client.query(copyFrom(text)));
  } finally {
    await client.end();
  }
}

/** Many lines a write: the rows stream through, a chunk at a time. */
function* chunks(rows: Iterable<string>, total: number, say?: (line: string) => void): Generator<Buffer> {
  const started = performance.now();
  let lines: string[] = [];
  let sent = 0;
  for (const row of rows) {
    lines.push(row);
    if (lines.length < LINES_A_CHUNK) continue;
    yield Buffer.from(lines.join(''));
    sent += lines.length;
    lines = [];
    if (sent % PROGRESS_EVERY === 0)
      say?.(
        `  ${sent.toLocaleString('en')} of ${total.toLocaleString('en')}, ${Math.round(sent / ((performance.now() - started) / 1000))} rows/s`,
      );
  }
  yield Buffer.from(lines.join(''));
}
