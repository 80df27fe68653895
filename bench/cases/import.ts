/** Members by CSV, against COPY of the same rows into the same tables with their constraints. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Case, Round } from '../measure.ts';
import type { Stage, Tenant } from '../stage.ts';

const DATABASE = 'svc_bench_import';
const RECRUITS = 5;
const LINES_A_CHUNK = 500;
const POLL_MS = 100;

interface Answer {
  id: string;
  status: string;
  appliedCount: number;
}

export async function importCase(bench: Stage, members: number, say: (line: string) => void): Promise<Case> {
  // Its jobs would else work off what the cases before have left.
  const stage = await bench.openDatabase(DATABASE);
  const url = await stage.startService({ env: { JOBS: 'inline', DATABASE_WORKER_URL: stage.urls.workerUrl } });

  /** Recruits before their sponsors: the last line is the root. */
  function* csv(members: number): Generator<string> {
    yield 'email,name,external_id,sponsor_email\n';
    let lines = '';
    for (let member = members - 1; member >= 0; member--) {
      const sponsor = member === 0 ? '' : `m${Math.floor((member - 1) / RECRUITS)}@import.example`;
      lines += `m${member}@import.example,Member ${member},x-${member},${sponsor}\n`;
      if (member % LINES_A_CHUNK > 0) continue;
      yield lines;
      lines = '';
    }
  }

  async function ours(members: number): Promise<Round> {
    const { apiKey } = await stage.newTenant();
    const headers = { 'x-tenant-api-key': apiKey };
    const before = await stage.memoryOf(url);
    let most = before;
    let mostPending = 0;
    const started = performance.now();
    const answer = await fetch(`${url}/api/v1/imports?kind=members&mode=apply`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'text/csv' },
      body: ReadableStream.from(Readable.from(csv(members), { objectMode: true }).map((text: string) => Buffer.from(text))),
      duplex: 'half',
    });
    let run = (await answer.json()) as Answer;
    const sent = performance.now();
    while (run.status === 'queued' || run.status === 'running') {
      await sleep(POLL_MS);
      most = Math.max(most, await stage.memoryOf(url));
      const [pending] = await stage.sql<{ rows: number }>('select count(*)::int as rows from downline_pending');
      mostPending = Math.max(mostPending, pending?.rows ?? 0);
      run = (await (await fetch(`${url}/api/v1/imports/${run.id}`, { headers })).json()) as Answer;
    }
    const ms = performance.now() - started;
    if (run.appliedCount !== members) throw new Error(`import: ${JSON.stringify(run)}`);
    say(
      `import: ${members} members in ${(ms / 1000).toFixed(1)} s, of which ${((sent - started) / 1000).toFixed(1)} s to send; memory of the service ${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most; ${mostPending} counts at most waited to be folded`,
    );
    return { perSecond: (members / ms) * 1000, p50: ms, p99: ms };
  }

  async function floor(members: number): Promise<Round> {
    const tenant = await stage.newTenant();
    const ids = Array.from({ length: members }, () => randomUUID());
    const client = await stage.connect();
    const started = performance.now();
    await client.query('begin');
    const copy = (into: string, line: (member: number) => string): Promise<void> =>
      pipeline(Readable.from(linesOf(members, line)), client.query(copyFrom(`copy ${into} from stdin`)));
    await copy(
      'member (tenant_id, environment, id, email, email_norm, name, name_norm, external_id, membership_tier, parent_id, is_active, can_recruit, is_test_user, pay_currency)',
      (member) => memberLine(tenant, ids, member),
    );
    await copy(
      'referral_code (tenant_id, environment, code, member_id, is_default)',
      (member) => `${tenant.tenantId}\t${tenant.environment}\tBENCH${member}\t${ids[member]}\tt\n`,
    );
    await client.query('commit');
    const ms = performance.now() - started;
    await client.end();
    return { perSecond: (members / ms) * 1000, p50: ms, p99: ms };
  }

  return {
    name: 'import',
    unit: 'members',
    ours: { run: () => ours(members), warmUp: async () => void (await ours(members / 10)) },
    floor: { run: () => floor(members), warmUp: async () => void (await floor(members / 10)) },
    target: { ratio: 0.35 },
    async check() {
      const [row] = await stage.sql<{ wrong: number }>(
        `select count(*)::int as wrong from (
           select tenant_id from member where email like '%@import.example' group by 1 having count(*) not in ($1, $2)) x`,
        [members, members / 10],
      );
      if (row?.wrong !== 0) throw new Error('import: a tenant has not all members');
    },
    close: () => stage.stopService(url),
  };
}

function memberLine({ tenantId, environment }: Tenant, ids: readonly string[], member: number): string {
  const email = `m${member}@import.example`;
  const parent = member === 0 ? '\\N' : ids[Math.floor((member - 1) / RECRUITS)];
  return `${tenantId}\t${environment}\t${ids[member]}\t${email}\t${email}\tMember ${member}\tmember ${member}\tx-${member}\tORDINARY\t${parent}\tt\tt\tf\tUSD\n`;
}

function* linesOf(count: number, line: (member: number) => string): Generator<string> {
  let lines = '';
  for (let member = 0; member < count; member++) {
    lines += line(member);
    if (member % LINES_A_CHUNK < LINES_A_CHUNK - 1 && member < count - 1) continue;
    yield lines;
    lines = '';
  }
}
