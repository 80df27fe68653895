/**
 * The desk of a reviewer in a browser: ten records by keys alone, undo, documents as they are drawn, and the same without
 * script. Source: docs/specification/pages.md#reviews.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { borrowingPdf, drawnPdf, drawnPng } from '../support/kyc/drawn-documents.ts';
import { type SampleDocument, sendDocument } from '../support/kyc/kyc-documents.ts';
import { plantRecord } from '../support/kyc/kyc-records.ts';
import { type PlantedPerson, plantPerson } from '../support/pages/plant-person.ts';
import { type PageTenant, pageTenant, type ShopWorld } from '../support/pages/shop-world.ts';
import { startBrowser } from './support/chromium.ts';
import { accessibilityFaults, sourceFaults, widthFaults } from './support/examine.ts';
import { type Look, openAs, type WatchedContext } from './support/watched-page.ts';
import { openWorld, pageAt } from './support/world.ts';

const SCREEN: Look = { theme: 'light', width: 1440 };
const TELEPHONE: Look = { theme: 'dark', width: 360 };
const AT_ONCE = 10;
/** What a decision waits before it is sent. */
const WAITS_MS = 10_000;

let browser: Browser;
let world: ShopWorld;
let jpeg: Buffer;
beforeAll(async () => {
  [browser, world] = await Promise.all([startBrowser(), openWorld()]);
  jpeg = await takePhotograph();
});
afterAll(() => browser.close());

/** A picture as a telephone takes it: made by the browser itself. */
async function takePhotograph(): Promise<Buffer> {
  const page = await browser.newPage();
  const address = await page.evaluate<string>(`(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 600; canvas.height = 800;
    const draw = canvas.getContext('2d');
    draw.fillStyle = '#c8b090'; draw.fillRect(0, 0, 600, 800);
    draw.fillStyle = '#503018'; draw.beginPath(); draw.arc(300, 330, 160, 0, 7); draw.fill();
    return canvas.toDataURL('image/jpeg', 0.8);
  })()`);
  await page.close();
  return Buffer.from(address.split(',')[1] ?? '', 'base64');
}

interface Desk {
  tenant: PageTenant;
  client: ApiClient;
  reviewer: PlantedPerson;
}

async function newDesk(): Promise<Desk> {
  const { app } = world;
  const tenant = await pageTenant(app, await app.newTenant());
  const reviewer = await plantPerson(app.database.asSuperuser, tenant.tenantId, { role: 'reviewer', name: 'Rita Reviewer' });
  return { tenant, client: apiClient(app, tenant.liveKey), reviewer };
}

const png = (shade: number): SampleDocument['content'] => drawnPng({ shade });

/** A member who has sent everything in; the id of the verification. */
async function sendIn({ client }: Desk, name: string, more: SampleDocument[] = []): Promise<string> {
  const { id } = await client.newMember({ name });
  const started = await client.post(`/api/v1/members/${id}/kyc/start`, {});
  const papers: SampleDocument[] = [
    { content: jpeg, fileName: 'front.jpg', mimeType: 'image/jpeg', documentType: 'government_id_front' },
    { content: png(0xd0), fileName: 'back.png', mimeType: 'image/png', documentType: 'government_id_back' },
    ...more,
    { content: png(0xe8), fileName: 'selfie.png', mimeType: 'image/png', documentType: 'selfie' },
  ];
  for (const paper of papers) {
    const answer = await sendDocument(client, id, paper);
    if (answer.status !== 201) throw new Error(`not recorded: ${answer.status} ${answer.text}`);
  }
  return started.body.kycRecordId;
}

async function statusesOf({ tenant }: Desk): Promise<Record<string, number>> {
  const rows = await world.app.database.asSuperuser<{ status: string; count: number }>(
    'select status, count(*)::int as count from kyc_record where tenant_id = $1 group by status',
    [tenant.tenantId],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

interface OpenDesk extends WatchedContext {
  /** The forms that were sent since it was last asked, by what they do. */
  sent(): string[];
  /** The names of files that were loaded from ours. */
  loaded(): string[];
}

async function openDesk({ tenant, reviewer }: Desk, path: string, look = SCREEN, scripts = true): Promise<OpenDesk> {
  const watched = await openAs(browser, look, reviewer.cookie, { javaScriptEnabled: scripts });
  const sent: string[] = [];
  const loaded: string[] = [];
  watched.page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URLSearchParams(request.postData() ?? '').get('_do') ?? '');
    loaded.push(new URL(request.url()).pathname.split('/').at(-1) ?? '');
  });
  await watched.page.goto(pageAt(world, tenant, path));
  const take = (list: string[]): string[] => list.splice(0);
  return { ...watched, sent: () => take(sent), loaded: () => take(loaded) };
}

const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: 30_000 });
const record = (page: Page): Promise<string | null> => page.locator('[data-review]').getAttribute('data-review');
const said = (page: Page): Promise<string> => page.locator('.review-said').innerText();
const waiting = (page: Page): Promise<number> => page.locator('.review-bar li').count();

/** How many pictures and pages are drawn, with something on them. */
const drawn = (page: Page): Promise<number> =>
  page.evaluate<number>(`[...document.querySelectorAll('.review-sheet > *')].filter((one) =>
    one.getBoundingClientRect().height > 50 && (one instanceof HTMLCanvasElement || one.naturalWidth > 0)).length`);

describe('by keys alone', () => {
  test('ten records are decided in less than two minutes, and each decision is sent', async () => {
    const desk = await newDesk();
    for (let nr = 1; nr <= AT_ONCE; nr += 1) await sendIn(desk, `Member ${nr}`);
    const { page, faults, context } = await openDesk(desk, '/verification');
    const began = performance.now();
    await page.getByRole('link', { name: 'Start reviewing' }).press('Enter');
    await page.waitForURL(/\/verification\/[0-9a-f-]{36}/);
    const seen = new Set<string>();
    for (let nr = 1; nr <= AT_ONCE; nr += 1) {
      await soon(() => drawn(page)).toBe(2);
      seen.add((await record(page)) ?? '');
      const before = await record(page);
      if (nr === 3) {
        await page.keyboard.press('Shift+R');
        await page.keyboard.press('2');
        await page.keyboard.press('Enter');
      } else if (nr === 6) {
        await page.keyboard.press('2');
        await page.keyboard.press('x');
        await page.keyboard.press('1');
        await page.keyboard.press('Enter');
        await page.keyboard.press('Shift+M');
        await page.keyboard.press('1');
        await page.keyboard.press('Enter');
      } else {
        for (const key of ['a', '2', 'a', '3', 'a', 'Shift+A']) await page.keyboard.press(key);
      }
      await page.keyboard.press('n');
      if (nr < AT_ONCE) await soon(() => record(page)).not.toBe(before);
    }
    await soon(() => waiting(page)).toBe(0);
    const seconds = (performance.now() - began) / 1_000;
    console.info(`ten records were decided by keys in ${seconds.toFixed(1)} s`);
    expect(seen.size).toBe(AT_ONCE);
    expect(await statusesOf(desk)).toEqual({ approved: 8, rejected: 1, resubmit_required: 1 });
    expect(seconds).toBeLessThan(120);
    expect(await page.locator('.review-bar .notice').count()).toBe(0);
    expect(await faults()).toEqual([]);
    await context.close();
  });

  test('a reviewer decides against the vendor by keys, and has to say why', async () => {
    const desk = await newDesk();
    const { tenant, client } = desk;
    const member = await client.newMember({ name: 'Vendor Vera' });
    const scope = { tenantId: tenant.tenantId, environment: 'LIVE' } as const;
    const record = { memberId: member.id, provider: 'kycvendor', applicantId: 'applicant-1' } as const;
    const id = await plantRecord(world.app, scope, record);
    const { page, sent, faults, context } = await openDesk(desk, `/verification/${id}`);
    await page.getByText('The vendor decides on this verification.').waitFor();
    await page.keyboard.press('Shift+A');
    const note = page.locator('dialog:modal textarea[name="note"]');
    await note.waitFor();
    const focused = () => page.evaluate<string>('document.activeElement.name || document.activeElement.textContent');
    const tabTo = async (what: string): Promise<void> => {
      for (let presses = 0; presses < 10 && (await focused()) !== what; presses += 1) await page.keyboard.press('Tab');
      expect(await focused()).toBe(what);
    };
    // Without a reason nothing is sent, not even to wait.
    await tabTo('Approve');
    await page.keyboard.press('Enter');
    expect(await page.locator('dialog:modal').count()).toBe(1);
    expect([await waiting(page), await focused()]).toEqual([0, 'note']);
    await page.keyboard.type('Seen in person, 1 a x');
    await tabTo('Approve');
    await page.keyboard.press('Enter');
    await soon(() => waiting(page)).toBe(1);
    await soon(() => waiting(page)).toBe(0);
    expect(sent()).toContain('approve');
    expect(await statusesOf(desk)).toEqual({ approved: 1 });
    const { body } = await client.get(`/api/v1/admin/audit-logs?targetId=${id}&action=kyc_record.approved`);
    expect(body.data).toHaveLength(1);
    expect(await faults()).toEqual([]);
    await context.close();
  });

  test('what nobody looked at is named before an approval is sent', async () => {
    const desk = await newDesk();
    const proof = { content: png(0xc0), fileName: 'bill.png', mimeType: 'image/png', documentType: 'proof_of_address' } as const;
    const id = await sendIn(desk, 'Unseen Uli', [proof]);
    const { page, faults, context } = await openDesk(desk, `/verification/${id}`);
    await soon(() => drawn(page)).toBe(2);
    const unseen = page.locator('dialog:modal [data-unseen]');
    await page.keyboard.press('Shift+A');
    expect(await unseen.innerText()).toBe('Not looked at yet, and accepted with it: Selfie; Proof of address.');
    expect(await waiting(page)).toBe(0);
    await page.keyboard.press('Escape');
    await soon(() => page.locator('dialog:modal').count()).toBe(0);
    await page.keyboard.press('3');
    await soon(() => page.locator('.is-seen').count()).toBe(3);
    await page.keyboard.press('Shift+A');
    expect(await unseen.innerText()).toBe('Not looked at yet, and accepted with it: Proof of address.');
    await page.keyboard.press('Escape');
    await soon(() => page.locator('dialog:modal').count()).toBe(0);
    await page.keyboard.press('4');
    await soon(() => page.locator('.is-seen').count()).toBe(4);
    await page.keyboard.press('Shift+A');
    expect(await page.locator('dialog:modal').count()).toBe(0);
    expect(await waiting(page)).toBe(1);
    await page.keyboard.press('u');
    expect(await waiting(page)).toBe(0);
    expect(await faults()).toEqual([]);
    await context.close();
  });

  test('the next record is opened once by a key that is pressed twice, and a held key decides nothing', async () => {
    const desk = await newDesk();
    const ids = [await sendIn(desk, 'One Ona'), await sendIn(desk, 'Two Tom'), await sendIn(desk, 'Three Thea')];
    const { page, sent, faults, context } = await openDesk(desk, `/verification/${ids[0]}`);
    await soon(() => drawn(page)).toBe(2);
    const before = await page.evaluate<number>('history.length');
    await page.evaluate(`for (const repeat of [false, false, true])
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true, cancelable: true, repeat }))`);
    await soon(() => record(page)).toBe(ids[1]);
    await page.waitForTimeout(1_000);
    expect(await record(page)).toBe(ids[1]);
    expect(await page.evaluate<number>('history.length')).toBe(before + 1);
    await page.evaluate(
      `document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true, cancelable: true, repeat: true }))`,
    );
    expect(await waiting(page)).toBe(0);
    await page.goBack();
    await soon(() => record(page)).toBe(ids[0]);
    expect(sent()).toEqual(['take', 'take']);
    expect(await faults()).toEqual([]);
    await context.close();
  });

  test('a record that was taken by opening it can be given back at once', async () => {
    const desk = await newDesk();
    const id = await sendIn(desk, 'Given Gil');
    const { page, sent, faults, context } = await openDesk(desk, `/verification/${id}`);
    await page.getByRole('button', { name: 'Release' }).click();
    await soon(() => page.getByRole('button', { name: 'Take for 15 minutes' }).count()).toBe(1);
    expect(sent()).toEqual(['take', 'release']);
    expect(await faults()).toEqual([]);
    await context.close();
  });

  test('what is undone within ten seconds is never sent', async () => {
    const desk = await newDesk();
    const id = await sendIn(desk, 'Undone Uta');
    const { page, sent, faults, context } = await openDesk(desk, `/verification/${id}`);
    await soon(() => drawn(page)).toBe(2);
    await soon(() => sent()).toEqual(['take']);
    await page.keyboard.press('3');
    await soon(() => page.locator('.is-seen').count()).toBe(3);
    await page.keyboard.press('1');
    await page.keyboard.press('a');
    await page.keyboard.press('Shift+A');
    expect(await waiting(page)).toBe(2);
    expect(await said(page)).toContain('The member reads: approved');
    await page.keyboard.press('u');
    await page.locator('.review-bar').getByRole('button', { name: 'Undo' }).click();
    expect(await waiting(page)).toBe(0);
    expect(await said(page)).toContain('Taken back: Accept Government ID, front of Undone Uta');
    await page.waitForTimeout(WAITS_MS + 1_500);
    expect(sent()).toEqual([]);
    expect(await statusesOf(desk)).toEqual({ pending: 1 });
    expect(await faults()).toEqual([]);
    await context.close();
  });

  test('what was refused is told on another record, with the way back', async () => {
    const desk = await newDesk();
    const [first, second] = [await sendIn(desk, 'First Fee'), await sendIn(desk, 'Second Sid')];
    const { page, faults, context } = await openDesk(desk, `/verification/${first}`);
    await soon(() => drawn(page)).toBe(2);
    await page.keyboard.press('3');
    await soon(() => page.locator('.is-seen').count()).toBe(3);
    await page.keyboard.press('Shift+A');
    await page.keyboard.press('n');
    await soon(() => record(page)).toBe(second);
    const other = await desk.client.post(`/api/v1/admin/kyc/${first}/reject`, { reason: 'By another' });
    expect(other.status).toBe(200);
    const notice = page.locator('.review-bar .notice');
    await soon(() => notice.count()).toBe(1);
    expect(await notice.innerText()).toContain('Approve First Fee was not done. The verification is rejected');
    await notice.getByRole('link', { name: 'Open the record' }).click();
    await soon(() => record(page)).toBe(first);
    expect(await faults()).toEqual([]);
    await context.close();
  });

  test('keys of one letter can be switched off, and a letter behind g decides nothing', async () => {
    const desk = await newDesk();
    const id = await sendIn(desk, 'Silent Sam');
    const { page, context } = await openDesk(desk, `/verification/${id}`);
    await soon(() => drawn(page)).toBe(2);
    // Exports are at x, for others.
    await page.keyboard.press('g');
    await page.keyboard.press('x');
    expect(await page.locator('dialog:modal').count()).toBe(0);
    await page.keyboard.press('?');
    expect(await page.locator('dialog#keys').innerText()).toContain('Accept the document');
    await page.locator('dialog#keys').getByRole('button', { name: 'Close' }).click();
    await page.evaluate(`localStorage.setItem('mcr-keys-off', 'yes')`);
    await page.keyboard.press('a');
    await page.keyboard.press('Shift+A');
    expect(await waiting(page)).toBe(0);
    await context.close();
  });

  test('leaving while a decision waits is warned of', async () => {
    const desk = await newDesk();
    const id = await sendIn(desk, 'Leaving Lou');
    const { page, context } = await openDesk(desk, `/verification/${id}`);
    await soon(() => drawn(page)).toBe(2);
    await page.keyboard.press('a');
    const asked = page.waitForEvent('dialog');
    const left = page.goto(pageAt(world, desk.tenant, '')).catch(() => undefined);
    expect((await asked).type()).toBe('beforeunload');
    await left;
    expect(await record(page)).toBe(id);
    await context.close();
  });
});

describe.each([SCREEN, TELEPHONE])('documents, in $theme, $width wide', (look) => {
  test('pictures and a PDF are drawn, larger and turned, and nothing is wrong with the page', async () => {
    const desk = await newDesk();
    const pdf = await drawnPdf(['A bill for Ida', 'Its second page']);
    const proof = { content: pdf, fileName: 'bill.pdf', mimeType: 'application/pdf', documentType: 'proof_of_address' } as const;
    const id = await sendIn(desk, 'Ida Root', [proof]);
    const { page, loaded, faults, context } = await openDesk(desk, `/verification/${id}`, look);
    await soon(() => drawn(page)).toBe(2);
    expect(loaded().filter((name) => name.startsWith('pdf.'))).toEqual([]);
    const [left, right] = await Promise.all([0, 1].map((at) => page.locator(`[data-pane="${at}"] .review-box`).boundingBox()));
    expect(left?.height).toBe(right?.height);
    await page.screenshot({ path: `.screens/review-${look.theme}-${look.width}.png`, fullPage: true });
    const before = await page.locator('[data-pane="0"] img').boundingBox();
    await page.keyboard.press('+');
    await page.keyboard.press('r');
    const after = await page.locator('[data-pane="0"] img').boundingBox();
    expect(after?.width).toBeGreaterThan(before?.width ?? 0);
    expect((before?.height ?? 0) > (before?.width ?? 0)).toBe((after?.height ?? 0) < (after?.width ?? 0));
    await page.keyboard.press('4');
    await soon(() => page.locator('.review-sheet canvas').count()).toBe(1);
    await soon(() => drawn(page)).toBe(2);
    expect(loaded()).toEqual(expect.arrayContaining(['pdf.js', 'pdf.worker.js']));
    // The blue field of the first page.
    const colours = await page.evaluate<number[]>(`(() => {
      const canvas = document.querySelector('.review-sheet canvas');
      return [...canvas.getContext('2d').getImageData(canvas.width / 6, canvas.height / 8, 1, 1).data];
    })()`);
    expect(colours).toEqual([0x3a, 0x4b, 0xd0, 255]);
    await page.keyboard.press(']');
    await soon(() => page.locator('[data-page-of]:visible').innerText()).toBe('Page 2 of 2');
    await page.screenshot({ path: `.screens/review-pdf-${look.theme}-${look.width}.png`, fullPage: true });
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await widthFaults(page)).toEqual([]);
    await page.keyboard.press('Shift+R');
    await page.keyboard.press('1');
    expect(await page.locator('dialog:modal [data-reads]').innerText()).toContain('rejected: The documents are not those');
    await page.screenshot({ path: `.screens/review-reject-${look.theme}-${look.width}.png` });
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await faults()).toEqual([]);
    await context.close();
  });
});

test('a PDF is drawn with the fonts and the map of characters that it names and does not bring', async () => {
  const desk = await newDesk();
  const paper = (content: Buffer): SampleDocument => ({
    content,
    fileName: 'bill.pdf',
    mimeType: 'application/pdf',
    documentType: 'proof_of_address',
  });
  const ids = [
    await sendIn(desk, 'Latin Lea', [paper(await drawnPdf(['A bill']))]),
    await sendIn(desk, 'Far Fay', [paper(borrowingPdf())]),
  ];
  const { page, loaded, faults, context } = await openDesk(desk, `/verification/${ids[0]}`);
  /** How dark the pixels are of a part of the page, from one height to another. */
  const ink = (from: number, to: number): Promise<number> =>
    page.evaluate<number>(`(() => {
      const canvas = document.querySelector('.review-sheet canvas');
      const top = Math.round(canvas.height * ${from});
      const { data } = canvas.getContext('2d').getImageData(0, top, canvas.width, Math.round(canvas.height * ${to}) - top);
      let dark = 0;
      for (let at = 0; at < data.length; at += 4) if (data[at] < 40 && data[at + 2] < 40) dark += 1;
      return dark;
    })()`);
  await soon(() => drawn(page)).toBe(2);
  loaded();
  await page.keyboard.press('4');
  await soon(() => page.locator('.review-sheet canvas').count()).toBe(1);
  expect(loaded().filter((name) => /\.(?:ttf|pfb|bcmap)$/.test(name))).toEqual(['LiberationSans-Regular.ttf']);
  expect(await ink(0.25, 0.32)).toBeGreaterThan(200);
  await page.keyboard.press('n');
  await soon(() => record(page)).toBe(ids[1]);
  await page.keyboard.press('4');
  await soon(() => page.locator('.review-sheet canvas').count()).toBe(1);
  expect(loaded()).toEqual(expect.arrayContaining(['UniGB-UCS2-H.bcmap', 'FoxitDingbats.pfb']));
  expect(await ink(0.08, 0.3)).toBeGreaterThan(200);
  expect(await ink(0.55, 0.75)).toBeGreaterThan(200);
  expect(await faults()).toEqual([]);
  await context.close();
});

test('the next record is there before it is asked for, and while somebody works it is kept fresh and theirs taken', async () => {
  const desk = await newDesk();
  const [first, second] = [await sendIn(desk, 'First'), await sendIn(desk, 'Second')];
  const { context, page, faults, sent, loaded } = await openDesk(desk, '/verification');
  await page.clock.install();
  await page.goto(pageAt(world, desk.tenant, `/verification/${first}`));
  const seen: string[] = [];
  const asked = () => {
    seen.push(...loaded());
    return seen.filter((name) => name === second).length;
  };
  const takes = async (): Promise<number> => sent().filter((what) => what === 'take').length;
  await soon(asked).toBe(1);
  await soon(takes).toBe(1);

  await page.mouse.move(20, 20);
  await page.clock.fastForward('00:56');
  await soon(asked).toBe(2);
  // Nobody is at work for eleven minutes; then somebody is again.
  await page.clock.fastForward('11:00');
  expect([asked(), await takes()]).toEqual([2, 0]);
  await page.mouse.move(40, 40);
  await page.clock.fastForward('00:06');
  await soon(takes).toBe(1);
  await soon(asked).toBe(3);

  // Nothing of it is answered any more.
  await page.route(`**/${second}*`, () => undefined);
  await page.keyboard.press('n');
  await soon(() => record(page)).toBe(second);
  expect(await faults()).toEqual([]);
  await context.close();
});

test('the words of asking again name the documents that are ticked', async () => {
  const desk = await newDesk();
  const id = await sendIn(desk, 'Asked Asa');
  const { page, faults, context } = await openDesk(desk, `/verification/${id}`);
  await soon(() => drawn(page)).toBe(2);
  await page.keyboard.press('Shift+M');
  const dialog = page.locator('dialog:modal');
  await dialog.getByLabel('Own words').fill('Blurred');
  const words = () => dialog.locator('[data-reads]').innerText();
  expect(await words()).toBe(
    'resubmit_required: Blurred. Upload again what the reason names; then the documents are reviewed anew',
  );
  await dialog.getByRole('checkbox', { name: 'Selfie' }).check();
  await dialog.getByRole('checkbox', { name: 'Government ID, front' }).check();
  expect(await words()).toContain('resubmit_required: Blurred (Government ID, front; Selfie). Upload again');
  await dialog.getByRole('checkbox', { name: 'Government ID, front' }).uncheck();
  expect(await words()).toContain('Blurred (Selfie). Upload');
  await dialog.getByRole('button', { name: 'Ask again' }).click();
  expect(await said(page)).toContain('Blurred (Selfie)');
  await page.keyboard.press('u');
  expect(await faults()).toEqual([]);
  await context.close();
});

test('who decides by keys goes on, after what was sent, at the next record or where they were', async () => {
  const desk = await newDesk();
  const ids = [await sendIn(desk, 'Focus Flo'), await sendIn(desk, 'Later Lis')];
  const { page, faults, context } = await openDesk(desk, `/verification/${ids[0]}`);
  await soon(() => drawn(page)).toBe(2);
  const focused = (read: string): Promise<string> => page.evaluate<string>(`document.activeElement${read} ?? ''`);
  await page.getByRole('button', { name: 'Accept' }).first().press('Enter');
  expect(await waiting(page)).toBe(1);
  await soon(() => waiting(page)).toBe(0);
  await soon(() => focused('.tagName')).toBe('H1');
  await page.getByRole('link', { name: 'Reject…' }).press('Enter');
  await page.keyboard.press('1');
  await page.keyboard.press('Enter');
  await soon(() => waiting(page)).toBe(1);
  await soon(() => waiting(page)).toBe(0);
  await soon(() => focused('.dataset.record')).toBe(ids[1]);
  await page.keyboard.press('Enter');
  await soon(() => record(page)).toBe(ids[1]);
  expect(await faults()).toEqual([]);
  await context.close();
});

test('what another has taken says so, and is not taken by opening it', async () => {
  const desk = await newDesk();
  const id = await sendIn(desk, 'Taken Tea');
  const taken = await desk.client.post(`/api/v1/admin/kyc/${id}/take`, {});
  expect(taken.status, taken.text).toBe(200);
  const { page, sent, faults, context } = await openDesk(desk, `/verification/${id}`);
  await soon(() => drawn(page)).toBe(2);
  expect(await page.locator('.review-warning').innerText()).toContain('has taken this record until');
  expect(sent()).toEqual([]);
  await page.getByRole('button', { name: 'Take it over' }).click();
  await soon(() => page.getByText('You have this record until').count()).toBe(1);
  expect(await faults()).toEqual([]);
  await context.close();
});

test('without script a picture is shown by a link, a document accepted and the record approved', async () => {
  const desk = await newDesk();
  const id = await sendIn(desk, 'Plain Pia');
  const { page, context } = await openDesk(desk, `/verification/${id}`, SCREEN, false);
  const answer = await page.reload();
  expect(await sourceFaults((await answer?.text()) ?? '')).toEqual([]);
  await page.getByRole('link', { name: 'Government ID, front' }).click();
  await page.getByRole('link', { name: 'Selfie' }).click();
  expect(await page.locator('.review-box img').count()).toBe(2);
  await page.screenshot({ path: '.screens/review-plain-1440.png', fullPage: true });
  await page.getByRole('button', { name: 'Take for 15 minutes' }).click();
  await page.getByRole('button', { name: 'Accept', exact: true }).first().click();
  expect(await page.locator('main > .notice').innerText()).toContain('The document is accepted.');
  await page.getByRole('link', { name: 'Approve…' }).click();
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  expect(await statusesOf(desk)).toEqual({ approved: 1 });
  await context.close();
});
