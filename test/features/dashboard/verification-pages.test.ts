/** The queue of verifications and the desk of a reviewer, through HTTP. Source: docs/specification/pages.md#reviews. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { apiClient } from '../../support/app/api-client.ts';
import type { TestTenant } from '../../support/app/test-app.ts';
import { plantDocument, plantRecord, plantRequired } from '../../support/kyc/kyc-records.ts';
import type { Browser, Opened } from '../../support/pages/browser.ts';
import { arrive, wordsOf } from '../../support/pages/follow.ts';
import { type PageApp, startPageApp } from '../../support/pages/page-app.ts';

const HOSTILE = '"><img src=x onerror=alert(1)>';

let pages: PageApp;
let tenant: TestTenant;
let scope: Scope;
beforeAll(async () => {
  pages = await startPageApp();
  tenant = await pages.app.newTenant({ currency: 'EUR', timeZone: 'Europe/Berlin' });
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
});
afterAll(() => pages.app.close());

const at = (path: string) => `${pages.home(tenant)}/verification${path}`;
const reviewer = () => pages.signedIn(tenant, 'reviewer');

interface Planted {
  id: string;
  userId: string;
}

async function plant(name: string, more: Partial<Parameters<typeof plantRecord>[2]> = {}): Promise<Planted> {
  const { id: userId } = await apiClient(pages.app, tenant.liveKey).newMember({ name });
  return { id: await plantRecord(pages.app, scope, { memberId: userId, ...more }), userId };
}

async function plantWhole(name: string, more: Partial<Parameters<typeof plantRecord>[2]> = {}) {
  const planted = await plant(name, more);
  const documents = await plantRequired(pages.app, scope, planted.id);
  return { ...planted, documents };
}

async function statusOf(id: string): Promise<{ status: string; rejection_reason: string | null; assigned_to: string | null }> {
  const [row] = await pages.app.database.asSuperuser<{
    status: string;
    rejection_reason: string | null;
    assigned_to: string | null;
  }>('select status, rejection_reason, assigned_to from kyc_record where id = $1', [id]);
  if (!row) throw new Error('no record');
  return row;
}

async function viewedOf(id: string): Promise<{ actor_kind: string; actor_id: string }[]> {
  return pages.app.database.asSuperuser(
    "select actor_kind, actor_id from audit_log where action = 'kyc_document.viewed' and object_id::text = $1 order by id",
    [id],
  );
}

/** The message beside a field, or above its form. */
function faultsIn({ text }: Opened): string {
  const found = [...text.matchAll(/class="(?:fault|notice notice-bad)"[^>]*>(.*?)<\/(?:p|div)>/gs)];
  return found.map(([, words = '']) => words.replaceAll(/<[^>]*>/g, '')).join(' | ');
}

async function sendQuiet(browser: Browser, page: Opened, action: string, typed: Record<string, string>, key?: string) {
  return browser.send(page, action, { ...typed, quiet: 'yes' }, key === undefined ? {} : { key });
}

describe('the queue', () => {
  test('shows those that wait, the longest first, and others by their state', async () => {
    await plant('Late Lotte', { waitingSeconds: 90 });
    await plant('Early Emil', { waitingSeconds: 7_300, assignedTo: 'rita@test.example' });
    await plant(`Hostile ${HOSTILE}`, { waitingSeconds: 200, assignedTo: HOSTILE });
    await plant('Done Dora', { status: 'approved' });
    const browser = reviewer();
    const all = await browser.open(at(''));
    expect(all.status).toBe(200);
    const words = wordsOf(all);
    expect(words.indexOf('Early Emil')).toBeLessThan(words.indexOf('Hostile'));
    expect(words.indexOf('Hostile')).toBeLessThan(words.indexOf('Late Lotte'));
    expect(words).toContain('2 hours');
    expect(words).not.toContain('Done Dora');
    expect(all.text).not.toContain('<img src=x');
    expect(wordsOf(await browser.open(at('?status=approved')))).toContain('Done Dora');
    const own = wordsOf(await browser.open(at('?assignedTo=rita%40test.example')));
    expect(own).toContain('Early Emil');
    expect(own).not.toContain('Late Lotte');
    expect(wordsOf(await browser.open(at('?status=rejected')))).toContain('None matches these filters');
    expect(all.text).toMatch(/Verification<\/span><span class="count">\d+/);
  });

  test('begins with the first that nobody else has taken', async () => {
    const first = await plantWhole('First Frida', { waitingSeconds: 900_000 });
    const second = await plantWhole('Second Sven', { waitingSeconds: 800_000 });
    const one = reviewer();
    const start = await one.open(at('?start=yes'));
    expect(start.location).toContain(`/verification/${first.id}`);
    await arrive(one, await one.send(await one.open(at(`/${first.id}`)), 'take'));
    expect((await reviewer().open(at('?start=yes'))).location).toContain(`/verification/${second.id}`);
    expect((await one.open(at('?start=yes'))).location).toContain(`/verification/${first.id}`);
  });

  test('begins with what the reader has taken, then with what is assigned to the reader', async () => {
    const own = await pages.app.newTenant();
    const ofOwn: Scope = { tenantId: own.tenantId, environment: 'LIVE' };
    const ask = apiClient(pages.app, own.liveKey);
    const waiting: string[] = [];
    for (const name of ['Oldest Olga', 'Assigned Ada', 'Taken Tess']) {
      const { id: memberId } = await ask.newMember({ name });
      waiting.push(await plantRecord(pages.app, ofOwn, { memberId, waitingSeconds: 900_000 - waiting.length }));
    }
    const [oldest = '', assigned = '', taken = ''] = waiting;
    const me = pages.signedIn(own, 'reviewer');
    const there = (path: string) => `${pages.home(own)}/verification${path}`;
    const started = async (query = '') => (await me.open(there(`?start=yes${query}`))).location;
    expect(await started()).toContain(`/verification/${oldest}`);
    const list = await me.open(there(''));
    const email = /assignedTo=([^"&]+)/.exec(list.text)?.[1] ?? '';
    await me.send(await me.open(there(`/${assigned}`)), 'assign', { assignee: decodeURIComponent(email) });
    expect(await started()).toContain(`/verification/${assigned}`);
    await me.send(await me.open(there(`/${taken}`)), 'take');
    expect(await started()).toContain(`/verification/${taken}`);
    // Somebody else has taken what is assigned to the reader.
    expect((await ask.post(`/api/v1/admin/kyc/${assigned}/take`, {})).status).toBe(200);
    await me.send(await me.open(there(`/${taken}`)), 'release');
    expect(await started()).toContain(`/verification/${oldest}`);
  });
});

test.each(['finance', 'developer', 'read-only'] as const)('%s sees neither the list nor a record', async (role) => {
  const { id, documents } = await plantWhole(`Hidden from ${role}`);
  const browser = pages.signedIn(tenant, role);
  expect((await browser.open(pages.home(tenant))).text).not.toContain('/verification"');
  for (const path of ['', `/${id}`, `/${id}?as=json&document=${documents[0]?.id}`, `/${id}?save=${documents[0]?.id}`]) {
    expect((await browser.open(at(path))).status, path).toBe(403);
  }
  expect(await viewedOf(id)).toEqual([]);
});

test('another tenant and the other environment have no such record', async () => {
  const { id, documents } = await plantWhole('Elsewhere Elsa');
  const other = await pages.app.newTenant();
  const stranger = pages.signedIn(other, 'reviewer');
  const there = `${pages.home(other)}/verification/${id}`;
  for (const query of ['', `?as=json&document=${documents[0]?.id}`, `?save=${documents[0]?.id}`])
    expect((await stranger.open(there + query)).status).toBe(404);
  expect((await reviewer().open(`${pages.home(tenant, 'SANDBOX')}/verification/${id}`)).status).toBe(404);
  expect(await viewedOf(id)).toEqual([]);
});

describe('documents', () => {
  test('an address is asked for when one is shown, and each asking is written down with the person', async () => {
    const { id, documents } = await plantWhole('Seen Sepp');
    const [first] = documents;
    const browser = reviewer();
    const page = await browser.open(at(`/${id}`));
    expect(page.text).not.toContain('/uploads/');
    expect(await viewedOf(id)).toEqual([]);
    const asked = await browser.open(at(`/${id}?as=json&document=${first?.id}`));
    expect(asked.headers.get('content-type')).toMatch(/^application\/json/);
    expect(JSON.parse(asked.text)).toMatchObject({ mimeType: 'image/png', url: expect.stringMatching(/^\/uploads\//) });
    const shown = await browser.open(at(`/${id}?show=${first?.id}`));
    expect(shown.text).toMatch(/<img src="\/uploads\/[^"]+" alt="Government ID, front">/);
    expect((await browser.open(at(`/${id}?save=${first?.id}`))).location).toMatch(/^\/uploads\//);
    const seen = await viewedOf(id);
    expect(seen).toHaveLength(3);
    expect(new Set(seen.map(({ actor_kind }) => actor_kind))).toEqual(new Set(['staff']));
  });

  test('of another record there is none', async () => {
    const one = await plantWhole('Own Olga');
    const other = await plantWhole('Other Otto');
    const wrong = other.documents[0]?.id;
    const browser = reviewer();
    expect((await browser.open(at(`/${one.id}?as=json&document=${wrong}`))).status).toBe(404);
    expect((await browser.open(at(`/${one.id}?show=${wrong}`))).text).not.toContain('/uploads/');
  });

  test('one is accepted, and one refused for a reason that stands beside it', async () => {
    const { id, documents } = await plantWhole('Papers Paul');
    const [front, back] = documents.map((one) => one.id);
    const browser = reviewer();
    const page = await browser.open(at(`/${id}`));
    const accepted = await arrive(browser, await browser.send(page, 'accept', {}, { key: front ?? '' }));
    expect(wordsOf(accepted)).toContain('The document is accepted.');
    const refused = await browser.send(page, 'refuse', {}, { key: back ?? '' });
    expect(refused.status).toBe(400);
    expect(faultsIn(refused)).toContain('choose a reason above or write one');
    const typed = { listed: 'The document has expired', reason: HOSTILE };
    const done = await arrive(browser, await browser.send(page, 'refuse', typed, { key: back ?? '' }));
    expect(wordsOf(done)).toContain(`The document has expired. ${HOSTILE.replaceAll('"', '&quot;')}`);
    expect(done.text).not.toContain('<img src=x');
    const rows = await pages.app.database.asSuperuser(
      'select status, rejection_reason from kyc_document where kyc_record_id = $1 order by id',
      [id],
    );
    expect(rows).toEqual([
      { status: 'accepted', rejection_reason: null },
      { status: 'rejected', rejection_reason: `The document has expired. ${HOSTILE}` },
      { status: 'uploaded', rejection_reason: null },
    ]);
  });
});

describe('decisions', () => {
  test('an approval approves what was looked at, once', async () => {
    const { id } = await plantWhole('Good Greta');
    const browser = reviewer();
    const page = await browser.open(at(`/${id}`));
    expect(wordsOf(page)).toContain('The member reads: approved');
    expect(wordsOf(page)).toContain(
      'It names every document that this page lists, looked at or not: Government ID, front; Government ID, back; Selfie.',
    );
    const sent = await browser.send(page, 'approve', { note: 'By video' });
    expect(sent.status, faultsIn(sent)).toBe(303);
    expect(await statusOf(id)).toMatchObject({ status: 'approved' });
    expect((await browser.send(page, 'approve', { note: 'By video' })).status).toBe(303);
    const after = wordsOf(await browser.open(at(`/${id}`)));
    expect(after).toContain('By video');
    expect(after).not.toContain('Approve…');
    expect(after).toContain('Ask again…');
  });

  test('a document that came meanwhile refuses it', async () => {
    const { id } = await plantWhole('Late Lena');
    const browser = reviewer();
    const page = await browser.open(at(`/${id}`));
    await plantDocument(pages.app, scope, id, 'proof_of_address');
    const sent = await browser.send(page, 'approve', {});
    expect(sent.status).toBe(409);
    expect(faultsIn(sent)).toContain('A document was sent in that is not among documentIds');
    expect(await statusOf(id)).toMatchObject({ status: 'pending' });
  });

  test('whoever changed meanwhile refuses it, and the page says so', async () => {
    const { id } = await plantWhole('Other Ole');
    const browser = reviewer();
    const page = await browser.open(at(`/${id}`));
    await pages.app.database.asSuperuser('update kyc_record set identity_version = identity_version + 1 where id = $1', [id]);
    const sent = await browser.send(page, 'approve', {});
    expect(sent.status).toBe(409);
    expect(faultsIn(sent)).toContain('Who the member is was changed since');
    expect(wordsOf(sent)).toContain('Who the member is was changed since the verification was submitted.');
  });

  test('of two reviewers the second is told what the first has done', async () => {
    const { id } = await plantWhole('Twice Tine');
    const [one, other] = [reviewer(), reviewer()];
    const [own, theirs] = [await one.open(at(`/${id}`)), await other.open(at(`/${id}`))];
    expect((await one.send(own, 'reject', { listed: 'This person is too young' })).status).toBe(303);
    const late = await other.send(theirs, 'approve', {});
    expect(late.status).toBe(409);
    expect(wordsOf(late)).toContain('is rejected and is not pending');
    expect(await statusOf(id)).toMatchObject({ status: 'rejected', rejection_reason: 'This person is too young' });
  });

  test('asking again names documents, and needs a reason', async () => {
    const { id } = await plantWhole('Again Anna');
    const browser = reviewer();
    const page = await browser.open(at(`/${id}`));
    const empty = await browser.send(page, 'askAgain', { documents: ['selfie'] });
    expect(empty.status).toBe(400);
    expect(faultsIn(empty)).toContain('choose a reason');
    const sent = await browser.send(page, 'askAgain', { documents: ['selfie', 'proof_of_address'], reason: 'In colour' });
    expect(sent.status, faultsIn(sent)).toBe(303);
    expect(await statusOf(id)).toMatchObject({ status: 'resubmit_required', rejection_reason: 'In colour' });
    expect(wordsOf(await browser.open(at(`/${id}`)))).toContain('Selfie; Proof of address');
  });

  test('in the place of the vendor a note is needed, which stands beside its field', async () => {
    const { id } = await plant('Vendor Vera', { provider: 'kycvendor', applicantId: 'applicant-1' });
    const browser = reviewer();
    const page = await browser.open(at(`/${id}`));
    expect(wordsOf(page)).toContain('The vendor decides on this verification.');
    expect(page.text).not.toContain('name="documents"');
    // It is asked behind the page, and nobody is set up who could answer.
    expect(page.text).toContain('data-href="');
    const part = await browser.open(at(`/${id}?findings=yes`), { 'hx-request': 'true', 'hx-target': 'findings' });
    expect(part.status).toBe(200);
    expect(part.text).toMatch(/^<div id="findings">/);
    expect(wordsOf(part)).toContain('The KYC provider cannot be used as it is set up');
    const refused = await browser.send(page, 'approve', { note: ' ' });
    expect(refused.status).toBe(400);
    expect(refused.text).toMatch(/id="approve-note-fault">[^<]*is required/);
    expect((await browser.send(page, 'approve', { note: 'Seen in person' })).status).toBe(303);
    expect(await statusOf(id)).toMatchObject({ status: 'approved' });
  });

  test('what is too long is told beside the words', async () => {
    const { id } = await plantWhole('Long Leo');
    const page = await reviewer().open(at(`/${id}`));
    const browser = reviewer();
    const own = await browser.open(at(`/${id}`));
    expect(page.status).toBe(200);
    const sent = await browser.send(own, 'reject', { reason: 'x'.repeat(501) });
    expect(sent.status).toBe(400);
    expect(sent.text).toMatch(/id="reject-reason-fault"/);
  });
});

describe('what a script of ours sends', () => {
  test('is answered shortly when it was done, and by the page when it was not', async () => {
    const { id, documents } = await plantWhole('Quick Quirin');
    const browser = reviewer();
    const page = await browser.open(at(`/${id}`));
    const sent = await sendQuiet(browser, page, 'accept', {}, documents[0]?.id);
    expect(sent.status).toBe(303);
    const answer = await browser.open(sent.location ?? '');
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(JSON.parse(answer.text)).toEqual({ done: true });
    expect(wordsOf(await browser.open(at(`/${id}`)))).not.toContain('The document is accepted.');
    await sendQuiet(browser, page, 'reject', { reason: 'No' });
    const late = await sendQuiet(browser, page, 'approve', {});
    expect(late.status).toBe(409);
    expect(late.headers.get('content-type')).toMatch(/^text\/html/);
  });
});

describe('who has it', () => {
  test('a record that another has taken says so, can be taken over, and given back', async () => {
    const { id } = await plantWhole('Taken Tom');
    const [one, other] = [reviewer(), reviewer()];
    await arrive(one, await one.send(await one.open(at(`/${id}`)), 'take'));
    const taken = await one.open(at(`/${id}`));
    expect(wordsOf(taken)).toContain('You have this record until');
    const theirs = await other.open(at(`/${id}`));
    expect(wordsOf(theirs)).toContain('has taken this record until');
    expect(theirs.text).toContain('data-takes="no"');
    expect((await other.send(theirs, 'take', {}, { key: '' })).status).toBe(409);
    expect((await other.send(theirs, 'take', {}, { key: 'from' })).status).toBe(303);
    const over = await other.open(at(`/${id}`));
    expect(wordsOf(over)).toContain('You have this record until');
    const mine = await one.open(at(`/${id}`));
    expect(wordsOf(mine)).toContain('has taken this record until');
    // What another has taken meanwhile is not given back, and the words say so.
    const late = await arrive(one, await one.send(taken, 'release'));
    expect(wordsOf(late)).toContain('has taken the record meanwhile.');
    expect(wordsOf(late)).not.toContain('The record is free for others.');
    const free = await arrive(other, await other.send(over, 'release'));
    expect(wordsOf(free)).toContain('The record is free for others.');
    expect(wordsOf(await other.open(at(`/${id}`)))).toContain('Take for 15 minutes');
  });

  test('it is assigned to somebody by name, to oneself, and to nobody', async () => {
    const { id } = await plantWhole('Assigned Arno');
    const browser = reviewer();
    const page = await browser.open(at(`/${id}`));
    await browser.send(page, 'assign', { assignee: HOSTILE }, { key: '' });
    expect(await statusOf(id)).toMatchObject({ assigned_to: HOSTILE });
    const own = await browser.open(at(`/${id}`));
    expect(own.text).not.toContain('<img src=x');
    await browser.send(own, 'assign', {}, { key: 'me' });
    expect(await statusOf(id)).toMatchObject({ assigned_to: 'ada@test.example' });
    await browser.send(await browser.open(at(`/${id}`)), 'assign', { assignee: '' }, { key: '' });
    expect(await statusOf(id)).toMatchObject({ assigned_to: null });
  });
});

test('hostile words of a member stay words, and of an ID number the end is shown', async () => {
  const { id, userId } = await plantWhole(`Name ${HOSTILE}`);
  const client = apiClient(pages.app, tenant.liveKey);
  const profile = { givenName: HOSTILE, surname: HOSTILE, idNumber: 'AB 123456789', countryCode: 'DEU' };
  const answer = await client.patch(`/api/v1/members/${userId}/profile`, profile);
  expect(answer.status, answer.text).toBe(200);
  const page = await reviewer().open(at(`/${id}`));
  expect(page.status).toBe(200);
  expect(page.text).not.toContain('<img src=x');
  expect(wordsOf(page)).toContain('6789');
  expect(page.text).not.toContain('123456789');
  expect(page.text).not.toMatch(/\sstyle="/);
});
