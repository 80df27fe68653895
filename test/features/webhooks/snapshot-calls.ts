/** Snapshots asked for over HTTP, made in this process, and downloaded. */
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import type { TestApp } from '../../support/app/test-app.ts';
import { runJobs } from '../../support/jobs/run-jobs.ts';

export const snapshotPath = '/api/v1/webhook-events/snapshot';
export const snapshotsPath = '/api/v1/webhook-events/snapshots';

export interface SnapshotLine {
  kind: string;
  objectId: string;
  // biome-ignore lint/suspicious/noExplicitAny: the object of each kind is another.
  data: Record<string, any>;
}

export interface SnapshotFile {
  id: string;
  head: { kind: string; sequence: number; takenAt: string; environment: string; kinds: string[] };
  lines: SnapshotLine[];
}

export const runSnapshots = (app: TestApp): Promise<void> => runJobs(app, 'make-snapshot');

export async function newSnapshot(client: ApiClient, kinds?: readonly string[]): Promise<string> {
  const answer = await client.post(snapshotPath, kinds ? { kinds } : {});
  if (answer.status !== 202) throw new Error(`no snapshot: ${answer.status} ${answer.text}`);
  return answer.body.id as string;
}

export async function snapshotUrl(client: ApiClient, id: string): Promise<string> {
  const answer = await client.post(`${snapshotsPath}/${id}/download-url`, {});
  if (answer.status !== 200) throw new Error(`no address: ${answer.status} ${answer.text}`);
  return answer.body.url as string;
}

/** Its file, once it is made. */
export async function readSnapshot(client: ApiClient, id: string): Promise<SnapshotFile> {
  const answer = await fetch(await snapshotUrl(client, id));
  if (answer.status !== 200) throw new Error(`no file: ${answer.status}`);
  const lines = (await answer.text()).trimEnd().split('\n');
  const [head, ...rest] = lines.map((line) => JSON.parse(line) as unknown);
  return { id, head: head as SnapshotFile['head'], lines: rest as SnapshotLine[] };
}

/** Asks for one, makes it, and answers with its file. */
export async function takeSnapshot(app: TestApp, key: string, kinds?: readonly string[]): Promise<SnapshotFile> {
  const client = apiClient(app, key);
  const id = await newSnapshot(client, kinds);
  await runSnapshots(app);
  return readSnapshot(client, id);
}
