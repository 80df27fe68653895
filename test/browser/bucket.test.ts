/**
 * Documents in a bucket, whose origin is another than the pages': the desk draws them straight from it, and says so where
 * it cannot. Source: docs/specification/pages.md#policy.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiClient } from '../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { drawnPdf, drawnPng } from '../support/kyc/drawn-documents.ts';
import { type SampleDocument, sendDocument } from '../support/kyc/kyc-documents.ts';
import { type PlantedPerson, plantPerson } from '../support/pages/plant-person.ts';
import { type PageTenant, pageTenant } from '../support/pages/shop-world.ts';
import { type S3Double, startS3Double } from '../support/vendors/s3-double.ts';
import { startBrowser } from './support/chromium.ts';
import { openAs, type WatchedContext } from './support/watched-page.ts';
import { pageAt } from './support/world.ts';

const SCREEN = { theme: 'light', width: 1440 } as const;

let browser: Browser;
let s3: S3Double;
/** Its origin. */
let bucket: string;
let app: TestApp;
let origin: string;
let tenant: PageTenant;
let reviewer: PlantedPerson;
let record: string;
beforeAll(async () => {
  [browser, s3] = await Promise.all([startBrowser(), startS3Double()]);
  bucket = s3.url.replace('127.0.0.1', 'localhost');
  app = await startTestApp({
    OBJECT_STORAGE: 's3',
    // A name with a dot is signed behind the host, though nothing asks for that.
    S3_ENDPOINT: bucket,
    S3_BUCKET: 'my.papers',
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  });
  origin = app.baseUrl.replace('127.0.0.1', 'localhost');
  tenant = await pageTenant(app, await app.newTenant());
  reviewer = await plantPerson(app.database.asSuperuser, tenant.tenantId, { role: 'reviewer', name: 'Rita Reviewer' });
  record = await sendIn();
});
afterAll(async () => {
  await app.close();
  await s3.close();
  await browser.close();
});

/** A picture, and a PDF behind it; the id of the verification. */
async function sendIn(): Promise<string> {
  const client = apiClient(app, tenant.liveKey);
  const { id } = await client.newMember({ name: 'Bucket Bea' });
  const started = await client.post(`/api/v1/members/${id}/kyc/start`, {});
  const papers: SampleDocument[] = [
    { content: drawnPng({ shade: 0xd0 }), fileName: 'front.png', mimeType: 'image/png', documentType: 'government_id_front' },
    { content: await drawnPdf(['A bill']), fileName: 'bill.pdf', mimeType: 'application/pdf', documentType: 'proof_of_address' },
  ];
  for (const paper of papers) {
    const answer = await sendDocument(client, id, paper);
    if (answer.status !== 201) throw new Error(`not recorded: ${answer.status} ${answer.text}`);
  }
  return started.body.kycRecordId;
}

async function openDesk(): Promise<WatchedContext> {
  const watched = await openAs(browser, SCREEN, reviewer.cookie, { mayAsk: [bucket] });
  await watched.page.goto(pageAt({ origin }, tenant, `/verification/${record}`));
  return watched;
}

const soon = <Value>(read: () => Promise<Value>) => expect.poll(read, { timeout: 30_000 });

/** The pictures and the pages that are drawn, with something on them. */
const drawn = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('.review-sheet > *')].filter((one) =>
    one.getBoundingClientRect().height > 50 && (one instanceof HTMLCanvasElement || one.naturalWidth > 0)).map((one) => one.localName)`);

describe('documents in a bucket', () => {
  test('are drawn from it where it lets our pages read: a picture and a PDF', async () => {
    s3.letRead(origin);
    s3.requests.length = 0;
    const { page, faults, context } = await openDesk();
    await soon(() => drawn(page)).toEqual(['img', 'canvas']);
    expect(await page.locator('.review-box').allInnerTexts()).toEqual(['', '']);
    const asked = s3.requests.map((request) => request.replace(/\/[^/]*$/, ''));
    expect(new Set(asked)).toEqual(new Set([expect.stringMatching(/^GET \/my\.papers\/.+\/documents$/)]));
    expect(await faults()).toEqual([]);
    await context.close();
  });

  test('without CORS: a picture is drawn all the same, and of a PDF the desk says that it is not', async () => {
    s3.letRead(undefined);
    const { page, faults, context } = await openDesk();
    await soon(() => page.locator('.review-box').nth(1).innerText()).toMatch(/^This file cannot be drawn here\./);
    await soon(() => drawn(page)).toEqual(['img']);
    // The browser names what it stopped; the policy stopped nothing.
    expect(await faults()).toEqual([expect.stringMatching(/^console error: Access to fetch at .* blocked by CORS policy/)]);
    await context.close();
  });

  test('without script, a picture is drawn from it', async () => {
    const { page, context } = await openAs(browser, SCREEN, reviewer.cookie, { mayAsk: [bucket], javaScriptEnabled: false });
    await page.goto(pageAt({ origin }, tenant, `/verification/${record}`));
    // What the policy stops is never answered.
    const answered = page.waitForResponse((answer) => answer.url().startsWith(bucket));
    await page.getByRole('link', { name: 'Government ID, front' }).click();
    expect((await answered).status()).toBe(200);
    expect((await page.locator('.review-box img').boundingBox())?.height).toBeGreaterThan(50);
    await context.close();
  });
});
