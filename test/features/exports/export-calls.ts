/** Exports asked for over HTTP, made in this process, and downloaded. */
import { parse } from 'csv-parse/sync';
import { apiClient } from '../../support/app/api-client.ts';
import type { TestApp } from '../../support/app/test-app.ts';
import { runJobs } from '../../support/jobs/run-jobs.ts';

export const exportsPath = '/api/v1/exports';

export const KINDS = ['members', 'commissions', 'events', 'ledger', 'payouts', 'trialBalance', 'auditLogs'] as const;

export interface ExportBody {
  id: string;
  kind: string;
  format: string;
  status: string;
  rowCount: number;
  byteCount: number | null;
  failure: string | null;
  filters: Record<string, unknown>;
  startedAt: string | null;
  expiresAt: string | null;
}

export type Wanted = { kind: string; format?: string; filters?: object };

export async function newExport(
  app: TestApp,
  key: string,
  { kind, format = 'ndjson', filters = {} }: Wanted,
): Promise<ExportBody> {
  const answer = await apiClient(app, key).post(exportsPath, { kind, format, filters });
  if (answer.status !== 201) throw new Error(`no export: ${answer.status} ${answer.text}`);
  return answer.body as ExportBody;
}

export async function readExport(app: TestApp, key: string, id: string): Promise<ExportBody> {
  const answer = await apiClient(app, key).get(`${exportsPath}/${id}`);
  if (answer.status !== 200) throw new Error(`no export: ${answer.status} ${answer.text}`);
  return answer.body as ExportBody;
}

export async function downloadUrl(app: TestApp, key: string, id: string): Promise<string> {
  const answer = await apiClient(app, key).post(`${exportsPath}/${id}/download-url`, {});
  if (answer.status !== 200) throw new Error(`no address: ${answer.status} ${answer.text}`);
  return (answer.body as { url: string }).url;
}

export const runExports = (app: TestApp): Promise<void> => runJobs(app, 'run-export');

/** Asks for an export, makes it, and answers with its file. */
export async function exportFile(app: TestApp, key: string, wanted: Wanted): Promise<{ run: ExportBody; text: string }> {
  const { id } = await newExport(app, key, wanted);
  await runExports(app);
  const run = await readExport(app, key, id);
  if (run.status !== 'completed') throw new Error(`the export is ${run.status}: ${run.failure}`);
  const answer = await fetch(await downloadUrl(app, key, id));
  if (answer.status !== 200) throw new Error(`no file: ${answer.status}`);
  return { run, text: await answer.text() };
}

export type Row = Record<string, unknown>;

export const linesOf = (text: string): Row[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);

export const cellsOf = (text: string): Record<string, string>[] => parse(text, { columns: true, bom: false });

export async function exportLines(app: TestApp, key: string, wanted: Wanted): Promise<Row[]> {
  return linesOf((await exportFile(app, key, { ...wanted, format: 'ndjson' })).text);
}

/** All items of a list, page by page. */
export async function listAll(app: TestApp, key: string, path: string, query: Record<string, unknown> = {}): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const parameters = new URLSearchParams({ limit: '7' });
    for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
    if (cursor !== '') parameters.set('cursor', cursor);
    const answer = await apiClient(app, key).get(`${path}?${parameters.toString()}`);
    if (answer.status !== 200) throw new Error(`no list: ${answer.status} ${answer.text}`);
    const page = answer.body as { data: Row[]; nextCursor?: string | null; next_cursor?: string | null };
    rows.push(...page.data);
    cursor = page.nextCursor ?? page.next_cursor ?? null;
  }
  return rows;
}

/** Whatever is in the folder of the storage below the tenant's exports. */
export async function storedFiles(app: TestApp, tenantId: string): Promise<string[]> {
  const { readdir } = await import('node:fs/promises');
  const all = await readdir(`${app.config.DATA_DIR}/objects`, { recursive: true, withFileTypes: true }).catch(() => []);
  return all
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`)
    .filter((name) => name.includes(tenantId));
}
