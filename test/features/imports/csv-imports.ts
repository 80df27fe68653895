/** Files sent to POST /imports, worked off in this process, and read back. */

import type { TestApp } from '../../support/app/test-app.ts';
import { runJobs } from '../../support/jobs/run-jobs.ts';

export interface ImportBody {
  id: string;
  status: string;
  rowCount: number;
  byteCount: number;
  appliedCount: number;
  failedCount: number;
  progress: number;
  failure: string | null;
}

export interface RowErrors {
  rowNumber: number;
  faults: { field: string; code?: string; message: string }[];
}

export interface SentFile {
  kind?: string;
  mode?: string;
  headers?: Record<string, string>;
}

/** Answers with whatever the service says. */
export async function sendCsv(
  app: TestApp,
  key: string,
  csv: string | Buffer | AsyncIterable<Buffer>,
  { kind = 'members', mode = 'apply', headers = {} }: SentFile = {},
): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> {
  const isStream = typeof csv === 'object' && Symbol.asyncIterator in csv;
  const answer = await fetch(`${app.baseUrl}/api/v1/imports?kind=${kind}&mode=${mode}`, {
    method: 'POST',
    headers: { 'x-tenant-api-key': key, 'content-type': 'text/csv', ...headers },
    body: isStream ? ReadableStream.from(csv) : (csv as string),
    ...(isStream && { duplex: 'half' }),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
}

export async function readImport(app: TestApp, key: string, id: unknown): Promise<ImportBody> {
  const answer = await app.http.get(`/api/v1/imports/${String(id)}`).set('x-tenant-api-key', key);
  if (answer.status !== 200) throw new Error(`no import: ${answer.status} ${answer.text}`);
  return answer.body as ImportBody;
}

/** All of them, page by page. */
export async function readErrors(app: TestApp, key: string, id: unknown): Promise<RowErrors[]> {
  const rows: RowErrors[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const target = `/api/v1/imports/${String(id)}/errors?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const answer = await app.http.get(target).set('x-tenant-api-key', key);
    if (answer.status !== 200) throw new Error(`no errors: ${answer.status} ${answer.text}`);
    const page = answer.body as { data: RowErrors[]; nextCursor: string | null };
    rows.push(...page.data);
    cursor = page.nextCursor;
  }
  return rows;
}

export interface Finished extends ImportBody {
  errors: RowErrors[];
}

/** Sends a file, works it off and reads how it went. */
export async function importCsv(app: TestApp, key: string, csv: string, options: SentFile = {}): Promise<Finished> {
  const sent = await sendCsv(app, key, csv, options);
  if (sent.status !== 201) throw new Error(`not taken: ${sent.status} ${JSON.stringify(sent.body)}`);
  await runJobs(app, 'run-import');
  const run = await readImport(app, key, sent.body['id']);
  return { ...run, errors: await readErrors(app, key, run.id) };
}

export interface StoredMember {
  email: string;
  sponsor: string | null;
  name: string | null;
  external_id: string | null;
  membership_tier: string;
  is_active: boolean;
  can_recruit: boolean;
  pay_currency: string;
  name_norm: string | null;
  codes: number;
}

export const listStored = (app: TestApp, tenantId: string, environment = 'LIVE'): Promise<StoredMember[]> =>
  app.database.asSuperuser<StoredMember>(
    `select m.email, s.email as sponsor, m.name, m.external_id, m.membership_tier, m.is_active, m.can_recruit, m.pay_currency, m.name_norm,
            (select count(*)::int from referral_code c
             where c.tenant_id = m.tenant_id and c.environment = m.environment and c.member_id = m.id and c.is_default) as codes
     from member m left join member s on s.tenant_id = m.tenant_id and s.environment = m.environment and s.id = m.parent_id
     where m.tenant_id = $1 and m.environment = $2 order by m.email`,
    [tenantId, environment],
  );
