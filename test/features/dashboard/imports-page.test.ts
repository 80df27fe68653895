/** Imports as pages: a file as a browser sends it, looked at and carried out. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { KINDS } from '../../../src/features/dashboard/imports/import-kinds.ts';
import { createImport } from '../../../src/features/imports/imports-operations.ts';
import { apiClient } from '../../support/app/api-client.ts';
import type { TestTenant } from '../../support/app/test-app.ts';
import { runJobs } from '../../support/jobs/run-jobs.ts';
import type { Browser, Opened } from '../../support/pages/browser.ts';
import { type PageApp, startPageApp } from '../../support/pages/page-app.ts';

let pages: PageApp;
let tenant: TestTenant;
let browser: Browser;
let path: string;
beforeAll(async () => {
  pages = await startPageApp();
});
afterAll(() => pages.app.close());
beforeEach(async () => {
  tenant = await pages.app.newTenant();
  browser = pages.signedIn(tenant, 'admin');
  path = `${pages.home(tenant)}/imports`;
});

const csv = (text: string, name = 'members.csv'): File => new File([text], name, { type: 'text/csv' });
const send = (page: Opened, file: File, typed: Record<string, string> = {}, action = 'send'): Promise<Opened> =>
  browser.sendFile(page, action, typed, file);

async function done(sent: Opened): Promise<Opened> {
  expect(sent.status, sent.text.slice(0, 2_000)).toBe(303);
  await runJobs(pages.app, 'run-import');
  return browser.open(sent.location ?? '');
}

const emails = async (): Promise<string[]> => {
  const { body } = await apiClient(pages.app, tenant.liveKey).get('/api/v1/members?limit=100');
  return (body as { data: { email: string }[] }).data.map(({ email }) => email).toSorted();
};

test('the columns in words are those that the operation names', () => {
  const said = createImport.description ?? '';
  for (const [kind, { required, optional }] of Object.entries(KINDS)) {
    const [, of = ''] = new RegExp(`\`${kind}\`: (.*?)\\.(?:\\n|$| A sponsor)`, 's').exec(said) ?? [];
    const named = [...of.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name);
    expect([...new Set(named)].toSorted(), kind).toEqual([...required, ...optional].toSorted());
  }
});

test('a file is looked at first, and nothing is kept; then it is carried out', async () => {
  const text = 'email,name\nada@shop.example,Ada\nlee@shop.example,Lee\n';
  const looked = await done(await send(await browser.open(path), csv(text, 'my "members" <b>.csv')));
  expect(looked.text).toContain('looked at, in order');
  expect(looked.text).not.toContain('<b>.csv');
  expect(await emails()).toEqual([]);
  const carried = await done(await send(looked, csv(text), {}, 'carryOut'));
  expect(carried.text).toContain('>done<');
  expect(await emails()).toEqual(['ada@shop.example', 'lee@shop.example']);
  const list = await browser.open(path);
  expect(list.text).toContain('members.csv');
  expect(list.text).toContain('my &quot;members&quot; &lt;b&gt;.csv');
});

test('each row that is refused is listed with its column and its reason', async () => {
  const page = await done(await send(await browser.open(path), csv('email,name\nno-email,X\nada@shop.example,Ada\n,Y\n')));
  expect(page.text).toContain('looked at, rows refused');
  expect(page.text).toMatch(/data-row="2"/);
  expect(page.text).toMatch(/data-row="4"/);
  expect(page.text).not.toMatch(/data-row="3"/);
  expect(page.text).toContain('<code>email</code>');
});

test.each([
  ['no CSV with its columns', csv('mail\nx'), 'is not a known column'],
  ['nothing', csv(''), 'has no header line'],
])('%s is refused in the form', async (_what, file, said) => {
  const sent = await send(await browser.open(path), file);
  expect(sent.status).toBe(400);
  expect(sent.text).toContain(said);
  expect((await browser.open(path)).text).toContain('None was sent yet');
});

test('no file at all is told beside the field', async () => {
  const sent = await browser.send(await browser.open(path), 'send', { kind: 'members', mode: 'apply' });
  expect(sent.status).toBe(400);
  expect(sent.text).toContain('id="send-file-fault"');
});

test('a form that is sent twice imports once', async () => {
  const form = await browser.open(path);
  const text = 'email\nada@shop.example\n';
  const [first, second] = [await send(form, csv(text), { mode: 'apply' }), await send(form, csv(text), { mode: 'apply' })];
  expect(first.location).toBe(second.location);
  const other = await send(form, csv('email\nlee@shop.example\n'), { mode: 'apply' });
  expect(other.status).toBe(422);
  await runJobs(pages.app, 'run-import');
  expect(await emails()).toEqual(['ada@shop.example']);
});

test('the part that tells the progress is drawn alone', async () => {
  const sent = await send(await browser.open(path), csv('email\nada@shop.example\n'));
  const part = await browser.open(sent.location ?? '', { 'hx-request': 'true', 'hx-target': 'progress' });
  expect(part.text).toMatch(/^<section class="card" id="progress" data-under-way="">/);
  await runJobs(pages.app, 'run-import');
  const after = await browser.open(sent.location ?? '', { 'hx-request': 'true', 'hx-target': 'progress' });
  expect(after.text).not.toContain('data-under-way');
});

test('a file without the token, or from another site, is refused, and nothing is imported', async () => {
  const form = await browser.open(path);
  const forged = await browser.sendFile(form, 'send', { _token: 'x' }, csv('email\nada@shop.example\n'));
  expect(forged.status).toBe(403);
  expect((await browser.open(path)).text).toContain('None was sent yet');
});

test('it is of its tenant and environment, and each role sends what it may make', async () => {
  const sent = await send(await browser.open(path), csv('email\nada@shop.example\n'));
  const id = sent.location?.split('/').at(-1) ?? '';
  const elsewhere = await pages.app.newTenant();
  expect((await pages.signedIn(elsewhere, 'owner').open(`${pages.home(elsewhere)}/imports/${id}`)).status).toBe(404);
  expect((await browser.open(`${pages.home(tenant, 'SANDBOX')}/imports/${id}`)).status).toBe(404);
  const reader = pages.signedIn(tenant, 'read-only');
  const read = await reader.open(path);
  expect(read.status).toBe(200);
  expect(read.text).not.toContain('type="file"');
  for (const role of ['finance', 'reviewer', 'developer'] as const)
    expect((await pages.signedIn(tenant, role).open(path)).status, role).toBe(403);
  const developer = await pages.signedIn(tenant, 'developer').open(`${pages.home(tenant, 'SANDBOX')}/imports`);
  expect(developer.text).toContain('type="file"');
});
