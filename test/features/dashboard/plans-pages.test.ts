/** Plans as pages: the list, one plan, its editor, and its publication. docs/specification/pages.md#plans */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_PLAN, defaultPlanFor, type PlanDefinition } from '../../../src/features/commissions/open/plan-definition.ts';
import type { Role } from '../../../src/features/staff/open/roles.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import type { TestTenant } from '../../support/app/test-app.ts';
import type { Browser, Opened } from '../../support/pages/browser.ts';
import { type PageApp, RIGHT_CODE, startPageApp, wordsOf } from '../../support/pages/page-app.ts';

const PLANS = '/api/v1/commission-plans';
const PART = { 'hx-request': 'true', 'hx-target': 'plan-side', 'sec-fetch-site': 'same-origin' };
const HOSTILE = '"><img src=x data-hostile=1 onerror=alert(1)>';
const fresh = { hasFreshFactor: true, factorAt: new Date() };

let pages: PageApp;
let tenant: TestTenant;
let browser: Browser;
let client: ApiClient;
let home: string;
let planId: string;
beforeAll(async () => {
  pages = await startPageApp();
});
afterAll(() => pages.app.close());
beforeEach(async () => {
  tenant = await pages.app.newTenant({ currency: 'EUR', timeZone: 'Europe/Berlin' });
  browser = pages.signedIn(tenant, 'owner', fresh);
  client = apiClient(pages.app, tenant.liveKey);
  home = pages.home(tenant);
  planId = await newPlan();
});

async function newPlan(definition: object = defaultPlanFor('EUR'), name = 'Spring', by = client): Promise<string> {
  const made = await by.post(PLANS, { name, definition });
  if (made.status !== 201) throw new Error(made.text);
  return made.body.id as string;
}
const publish = async (body: object = {}, id = planId): Promise<void> => {
  const answer = await client.post(`${PLANS}/${id}/publish`, body);
  if (answer.status !== 201) throw new Error(answer.text);
};
const stored = async (id = planId) => (await client.get(`${PLANS}/${id}`)).body;
const draft = async (): Promise<PlanDefinition> => (await stored()).draft as PlanDefinition;
async function open(path: string, as = browser): Promise<Opened> {
  const opened = await as.open(home + path);
  expect(opened.status, wordsOf(opened.text)).toBe(200);
  return opened;
}
const edit = (typed: Record<string, string | string[]>, headers?: Record<string, string>): Promise<Opened> =>
  open(`/plans/${planId}/edit`).then((page) => browser.send(page, 'edit', typed, headers && { headers }));

describe('the list and a plan', () => {
  test('the list leads to each plan and says which were never published', async () => {
    const { text } = await open('/plans');
    expect(text).toContain(`href="${home}/plans/${planId}"`);
    expect(text).toContain('never published');
    expect(text).toContain('version 1');
    expect(text).toContain(`href="${home}/plans/new"`);
  });

  test('a new plan is the default one, or a copy of another', async () => {
    const asDefault = await browser.send(await open('/plans/new'), 'create', { name: 'One' });
    expect(asDefault.status, wordsOf(asDefault.text)).toBe(303);
    const own = /plans\/([\w-]+)\/edit/.exec(asDefault.location ?? '')?.[1] ?? '';
    expect((await stored(own)).draft).toEqual(defaultPlanFor('EUR'));
    await client.patch(`${PLANS}/${planId}`, { definition: { ...DEFAULT_PLAN, holding: { days: 7 } } });
    const copied = await browser.send(await open('/plans/new'), 'create', { name: 'Two', like: planId });
    const copy = /plans\/([\w-]+)\/edit/.exec(copied.location ?? '')?.[1] ?? '';
    expect((await stored(copy)).draft.holding.days).toBe(7);
    const nameless = await browser.send(await open('/plans/new'), 'create', { name: ' ' });
    expect(nameless.status).toBe(400);
    expect(nameless.text).toContain('id="create-name-fault"');
  });

  test('the difference of any two versions is told in words', async () => {
    await publish();
    await client.patch(`${PLANS}/${planId}`, { definition: { ...defaultPlanFor('EUR'), holding: { days: 14 } } });
    await publish({ effectiveFrom: '2099-01-01T00:00:00Z' });
    const before = await open(`/plans/${planId}`);
    expect(before.text).toContain('Nothing: both say the same.');
    const told = await open(`/plans/${planId}?from=1&to=2`);
    expect(told.text).toContain('Commissions are held 14 days instead of 30.');
    expect(told.text).toContain('later');
    const back = await open(`/plans/${planId}?from=2&to=1`);
    expect(back.text).toContain('Commissions are held 30 days instead of 14.');
    expect((await open(`/plans/${planId}?from=77&to=x`)).text).toContain('What is different');
  });

  test('it is renamed, and deleted as long as it was never published', async () => {
    const renamed = await browser.send(await open(`/plans/${planId}`), 'rename', { name: HOSTILE });
    expect(renamed.status, wordsOf(renamed.text)).toBe(303);
    const page = await open(`/plans/${planId}`);
    expect(page.text).not.toContain('<img');
    const gone = await browser.send(page, 'delete');
    expect(gone.location).toBe(`${home}/plans`);
    expect((await client.get(`${PLANS}/${planId}`)).status).toBe(404);
    const other = await newPlan();
    const open2 = await open(`/plans/${other}`);
    await publish({}, other);
    expect((await open(`/plans/${other}`)).text).not.toContain('value="delete"');
    const late = await browser.send(open2, 'delete');
    expect(late.status).toBe(409);
  });

  test('a plan of another tenant, or of the other environment, is not there', async () => {
    const stranger = await pages.app.newTenant();
    const foreign = await newPlan(undefined, 'Theirs', apiClient(pages.app, stranger.liveKey));
    const sandbox = await newPlan(undefined, 'Tried', apiClient(pages.app, tenant.sandboxKey));
    for (const id of [foreign, sandbox]) {
      for (const path of ['', '/edit', '/publish']) expect((await browser.open(`${home}/plans/${id}${path}`)).status).toBe(404);
      const page = await open(`/plans/${planId}/edit`);
      const sent = await browser.send({ ...page, text: page.text.replaceAll(planId, id) }, 'edit', { 'holding.days': '1' });
      expect([403, 404]).toContain(sent.status);
      const copied = await browser.send(await open('/plans/new'), 'create', { name: 'Copy', like: id });
      expect(copied.status).toBe(404);
    }
  });
});

describe('the editor', () => {
  test('saves what is typed, in percents and major units', async () => {
    const sent = await edit({
      'levels[0].pays': '12.5 %',
      'levels[1].pays': '5 EUR, 700 JPY',
      minimumPayoutMinor: '25.50 EUR, 1.5 KWD',
      'holding.days': '14',
      'scope.skus': 'TEA-1\r\nCUP',
    });
    expect([sent.status, sent.location], wordsOf(sent.text)).toEqual([303, `${home}/plans/${planId}`]);
    expect(await draft()).toMatchObject({
      levels: [{ rateBps: 1250 }, { flatMinor: { EUR: 500, JPY: 700 } }, {}, {}, {}],
      minimumPayoutMinor: { EUR: 2550, KWD: 1500 },
      holding: { days: 14 },
      scope: { skus: ['TEA-1', 'CUP'] },
    });
  });

  test('what was refused stands beside its field, with what was typed, and nothing is saved', async () => {
    const before = await draft();
    const sent = await edit({ 'levels[0].pays': 'ten', minimumPayoutMinor: '5 QQQ', 'holding.days': '3' });
    expect(sent.status).toBe(400);
    expect(sent.text).toContain('id="edit-levels[0].pays-fault"');
    expect(sent.text).toContain('value="ten"');
    expect(sent.text).toContain('id="edit-minimumPayoutMinor-fault"');
    expect(sent.text).toContain('data-unsaved');
    expect(await draft()).toEqual(before);
  });

  test('a problem of the draft stands beside its field, and does not keep it from being saved', async () => {
    const typed = { 'levels[2].level': '7', 'tiers[1].maxDepth': '' };
    const seen = await edit({ ...typed, deed: 'check' });
    expect(seen.status).toBe(200);
    expect(seen.text).toContain('id="edit-levels[2].level-fault"');
    expect(seen.text).toContain('id="edit-tiers[1].maxDepth-fault"');
    expect(seen.text).toContain('the draft cannot be published');
    expect((await edit(typed)).status).toBe(303);
    expect((await stored()).problems).not.toEqual([]);
  });

  test('a warning stands beside its field without making it wrong', async () => {
    const { text } = await edit({ minimumPayoutMinor: '', deed: 'check' });
    expect(text).toContain('plan-warning');
    expect(text).not.toContain('id="edit-minimumPayoutMinor-fault"');
    expect(text).toContain('The draft can be published.');
  });

  test('rows are added, moved and taken out without script, with what was typed kept', async () => {
    const added = await edit({ 'holding.days': '9', deed: 'add:rules' });
    expect(added.text).toContain('name="rules[0].when"');
    const two = await browser.send(added, 'edit', { 'rules[0].id': 'first', 'rules[0].pay': '7 %', deed: 'add:rules' });
    const swapped = await browser.send(two, 'edit', { deed: 'up:rules:1' });
    const saved = await browser.send(swapped, 'edit', {});
    expect(saved.status, wordsOf(saved.text)).toBe(303);
    const now = await draft();
    expect(now.rules.map(({ id, pay }) => [id, pay.rateBps])).toEqual([
      ['rule-2', 0],
      ['first', 700],
    ]);
    expect(now.holding.days).toBe(9);
    await browser.send(await edit({ deed: 'remove:rules:0' }), 'edit', {});
    expect((await draft()).rules.map(({ id }) => id)).toEqual(['first']);
  });

  test('the JSON is the same draft, and what the form cannot draw stays', async () => {
    const json = await edit({ 'holding.days': '5', deed: 'tab:json' });
    expect(json.text).toContain('&quot;days&quot;: 5');
    const wrong = await browser.send(json, 'edit', { json: '{', deed: 'tab:form' });
    expect(wrong.text).toContain('id="edit-json-fault"');
    const odd = { ...DEFAULT_PLAN, caps: { perMemberPeriodMinor: {} }, scope: { skus: [' a b '] } };
    const back = await browser.send(wrong, 'edit', { json: JSON.stringify(odd), deed: 'tab:form' });
    expect(back.text).toContain('name="holding.days"');
    expect((await browser.send(back, 'edit', { 'holding.days': '6' })).status).toBe(303);
    expect(await draft()).toMatchObject({
      caps: { perMemberPeriodMinor: {} },
      scope: { skus: [' a b '] },
      holding: { days: 6 },
    });
  });

  test('a fault of the JSON names its path', async () => {
    const json = await edit({ deed: 'tab:json' });
    const sent = await browser.send(json, 'edit', { json: JSON.stringify({ ...DEFAULT_PLAN, holding: { days: 400 } }) });
    expect(sent.status).toBe(400);
    expect(sent.text).toContain('holding.days:');
  });

  test('a draft that somebody else has saved meanwhile is not lost unseen', async () => {
    const page = await open(`/plans/${planId}/edit`);
    await client.patch(`${PLANS}/${planId}`, { definition: { ...DEFAULT_PLAN, holding: { days: 77 } } });
    const first = await browser.send(page, 'edit', { 'holding.days': '1' });
    expect(first.status).toBe(400);
    expect(first.text).toContain('was changed meanwhile');
    expect((await draft()).holding.days).toBe(77);
    expect((await browser.send(first, 'edit', {})).status).toBe(303);
    expect((await draft()).holding.days).toBe(1);
  });

  test.each(['add:rules', 'check', 'tab:json'])('nor after the page was drawn anew by %s', async (deed) => {
    const page = await open(`/plans/${planId}/edit`);
    await client.patch(`${PLANS}/${planId}`, { definition: { ...DEFAULT_PLAN, holding: { days: 77 } } });
    const again = await browser.send(page, 'edit', { 'holding.days': '1', deed });
    expect(again.status).toBe(200);
    const refused = await browser.send(again, 'edit', {});
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('was changed meanwhile');
    expect((await draft()).holding.days).toBe(77);
    expect((await browser.send(refused, 'edit', {})).status).toBe(303);
    expect((await draft()).holding.days).toBe(1);
  });

  test('nor after a save that was refused for another reason', async () => {
    const page = await open(`/plans/${planId}/edit`);
    await client.patch(`${PLANS}/${planId}`, { definition: { ...DEFAULT_PLAN, holding: { days: 77 } } });
    const wrong = await browser.send(page, 'edit', { 'holding.days': 'many' });
    expect(wrong.status).toBe(400);
    const refused = await browser.send(wrong, 'edit', { 'holding.days': '1' });
    expect(refused.text).toContain('was changed meanwhile');
    expect((await draft()).holding.days).toBe(77);
  });

  test('the conflict stands above the form, with what a save would change, and is no problem of the draft', async () => {
    const page = await open(`/plans/${planId}/edit`);
    await client.patch(`${PLANS}/${planId}`, { definition: { ...defaultPlanFor('EUR'), holding: { days: 77 } } });
    const refused = await browser.send(page, 'edit', { 'holding.days': '1' });
    expect(refused.text).toContain('Commissions are held 1 days instead of 77.');
    expect(refused.text.indexOf('was changed meanwhile')).toBeLessThan(refused.text.indexOf('data-plan-editor'));
    expect(refused.text).not.toContain('the draft cannot be published');
    expect(refused.text).toContain('The draft can be published.');
    const part = await browser.send(refused, 'edit', { deed: 'check' }, { headers: PART });
    expect(part.text).not.toContain('was changed meanwhile');
    expect(part.text).toContain('The draft can be published.');
  });

  test('what the service cannot store is refused with all that was typed', async () => {
    const before = await draft();
    const json = JSON.stringify({ ...DEFAULT_PLAN, holding: { days: 13 }, scope: { skus: ['\ud800'] } }, null, 2);
    expect(json).toContain('"\\ud800"');
    const tab = await edit({ deed: 'tab:json' });
    const sent = await browser.send(tab, 'edit', { json });
    expect(sent.status, wordsOf(sent.text)).toBe(400);
    expect(sent.text).toContain('The draft is not saved.');
    expect(sent.text).toContain('scope.skus[0]: has a lone surrogate');
    expect(sent.text).toContain('&quot;days&quot;: 13');
    expect(sent.text).toContain('data-unsaved');
    expect(sent.text).not.toContain('The draft can be published.');
    expect(await draft()).toEqual(before);
    const looked = await browser.send(sent, 'edit', { deed: 'check' });
    expect(looked.status).toBe(200);
    expect(looked.text).toContain('&quot;days&quot;: 13');
    const part = await browser.send(sent, 'edit', { deed: 'check' }, { headers: PART });
    expect(part.text).toContain('1 problem: the draft cannot be published.');
    const mended = await browser.send(looked, 'edit', { json: json.replace('\\ud800', 'TEA') });
    expect(mended.status, wordsOf(mended.text)).toBe(303);
    expect((await draft()).scope.skus).toEqual(['TEA']);
  });

  test('what the database does not store in time is not saved, and all that was typed comes back', async () => {
    const before = await draft();
    const page = await open(`/plans/${planId}/edit`);
    const other = new pg.Client({ connectionString: pages.app.database.appUrl });
    await other.connect();
    await other.query('begin');
    await other.query(
      "select set_config('app.tenant_id', $1, true), set_config('app.environment', 'LIVE', true), set_config('app.member_id', '', true)",
      [tenant.tenantId],
    );
    const locked = await other.query('select from commission_plan where id = $1 for update', [planId]);
    expect(locked.rowCount).toBe(1);
    const sent = await browser.send(page, 'edit', { 'holding.days': '13', 'sale.amount': '77' });
    await other.end();
    expect(sent.status, wordsOf(sent.text)).toBe(503);
    expect(sent.text).toContain('The draft is not saved.');
    expect(sent.text).toMatch(/name="holding\.days"[^>]*value="13"/);
    expect(sent.text).toMatch(/name="sale\.amount"[^>]*value="77"/);
    expect(sent.text).toContain('data-unsaved');
    expect(await draft()).toEqual(before);
    expect((await browser.send(sent, 'edit', {})).status).toBe(303);
    expect((await draft()).holding.days).toBe(13);
  });

  test('an article that no line can say is edited as JSON alone', async () => {
    await client.patch(`${PLANS}/${planId}`, { definition: { ...DEFAULT_PLAN, scope: { skus: [' two\nlines', 'TEA'] } } });
    const sent = await edit({ 'scope.skus': ' two\r\nlines\r\nTEA\r\nCUP' });
    expect(sent.status).toBe(400);
    expect(sent.text).toContain('id="edit-scope.skus-fault"');
    expect(sent.text).toContain('edit it as JSON');
    expect((await draft()).scope.skus).toEqual([' two\nlines', 'TEA']);
    expect((await edit({ 'holding.days': '4' })).status).toBe(303);
    expect(await draft()).toMatchObject({ holding: { days: 4 }, scope: { skus: [' two\nlines', 'TEA'] } });
  });

  test('a form without its definition is refused', async () => {
    expect((await edit({ from: '{}' })).status).toBe(400);
    expect((await edit({ from: 'x', deed: 'check' })).status).toBe(400);
  });

  test('hostile words in a rule, an article and a tier are drawn as words', async () => {
    const tierRules = { ...DEFAULT_PLAN.tierRules, [HOSTILE]: { maxDepth: 1 } };
    const rules = [{ id: 'x', levels: 'all', when: { fact: 'item.sku', in: [HOSTILE, '\u202Ex'] }, pay: { rateBps: 100 } }];
    await client.patch(`${PLANS}/${planId}`, { definition: { ...DEFAULT_PLAN, tierRules, rules, scope: { skus: [HOSTILE] } } });
    await client.patch(`${PLANS}/${planId}`, { name: HOSTILE });
    for (const path of ['', '/edit', '/publish']) expect((await open(`/plans/${planId}${path}`)).text).not.toMatch(/<img|<b>/);
    expect((await edit({ deed: 'tab:json' })).text).not.toContain('<img');
    expect((await edit({ deed: 'check', 'sale.lines': `${HOSTILE}; 1; 5` })).text).not.toContain('<img');
  });
});

describe('the quote beside it', () => {
  let ada: MemberBody;
  beforeEach(async () => {
    const root = await client.newMember({ email: 'root@shop.example', name: 'Root', membership_tier: 'DIRECTOR' });
    ada = await client.newMember({ email: 'ada@shop.example', name: 'Ada', membership_tier: 'DIRECTOR', parent_id: root.id });
  });

  test('is of the draft that is typed, as a part of the page, and stores nothing', async () => {
    const before = await draft();
    const part = await edit({ 'levels[0].pays': '12.5 %', 'sale.member': 'ada@shop.example', deed: 'check' }, PART);
    expect(part.status, wordsOf(part.text)).toBe(200);
    expect(part.text).not.toContain('<main');
    expect(part.text).toContain('12.5% of €100.00 = €12.50');
    expect(part.text).toContain('5% of €100.00 = €5.00');
    expect(part.text).toContain('€17.50');
    expect(part.text).toContain(`href="${home}/members/${ada.id}"`);
    expect(await draft()).toEqual(before);
    expect((await client.get('/api/v1/events')).body.data).toEqual([]);
  });

  test('in another currency, less tax and shipping, by products', async () => {
    await client.patch(`${PLANS}/${planId}`, {
      definition: {
        ...DEFAULT_PLAN,
        rules: [
          { id: 'tea', levels: [1], when: { fact: 'item.sku', in: ['TEA'] }, pay: { flatMinor: { KWD: 1500 }, per: 'unit' } },
        ],
      },
    });
    const sale = { 'sale.amount': '100', 'sale.currency': 'kwd', 'sale.tax': '10.5', 'sale.shipping': '4.5' };
    const part = await edit(
      { ...sale, 'sale.member': ada.referral_code, 'sale.lines': 'TEA; 2; 60\r\nCUP; ; 40', deed: 'check' },
      PART,
    );
    const words = wordsOf(`<main>${part.text}`).replaceAll('\u00a0', ' ');
    expect(words).toContain('KWD 85.000');
    expect(words).toContain('KWD 3.000 for 2 pieces');
    expect(words).toContain('TEA : paid by the rule tea');
  });

  test.each([
    [{ 'sale.amount': 'much' }, 'sale.amount'],
    [{ 'sale.amount': '' }, 'sale.amount'],
    [{ 'sale.currency': 'QQQ' }, 'sale.currency'],
    [{ 'sale.tax': '200' }, 'sale.amount'],
    [{ 'sale.country': 'QQ' }, 'sale.country'],
    [{ 'sale.lines': 'TEA' }, 'sale.lines'],
    [{ 'sale.type': 'gift' }, 'sale.type'],
  ])('%j is told beside %s', async (typed, field) => {
    const sent = await edit({ ...typed, deed: 'check' });
    expect(sent.status, wordsOf(sent.text)).toBe(200);
    expect(sent.text).toContain(`id="edit-${field}-fault"`);
    expect(sent.text).not.toContain('the draft cannot be published');
    const part = await edit({ ...typed, deed: 'check' }, PART);
    expect(part.text).toContain(`data-told-at="edit-${field}"`);
  });

  test('a plan that pays in another currency says that a rate is missing', async () => {
    await client.patch(`/api/v1/users/${ada.id}`, { pay_currency: 'JPY' });
    const part = await edit({ 'fx.payCurrency': 'member', 'sale.member': ada.id, deed: 'check' }, PART);
    expect(part.status).toBe(200);
    expect(part.text).toMatch(/rate|€10\.00/);
  });
});

describe('publishing', () => {
  test('tells what is different, and is done from the chosen time of the tenant on', async () => {
    await publish();
    await client.patch(`${PLANS}/${planId}`, { definition: { ...defaultPlanFor('EUR'), holding: { days: 14 } } });
    const page = await open(`/plans/${planId}/publish`);
    expect(page.text).toContain('Commissions are held 14 days instead of 30.');
    expect(page.text).toContain('Publish version 2 in LIVE');
    const sent = await browser.send(page, 'publish', { effectiveFrom: '2099-07-01T00:00' });
    expect([sent.status, sent.location], wordsOf(sent.text)).toEqual([303, `${home}/plans/${planId}`]);
    expect((await stored()).versions[0]).toMatchObject({ version: 2, effectiveFrom: '2099-06-30T22:00:00.000Z' });
  });

  test.each([
    [{ effectiveFrom: '2001-01-01T00:00' }, 'effectiveFrom'],
    [{ effectiveFrom: 'soon' }, 'effectiveFrom'],
    [{ effectiveTo: '2001-01-01T00:00' }, 'effectiveTo'],
  ])('%j is refused beside its field', async (typed, field) => {
    const sent = await browser.send(await open(`/plans/${planId}/publish`), 'publish', typed);
    expect(sent.status).toBe(400);
    expect(sent.text).toContain(`id="publish-${field}-fault"`);
    expect((await stored()).versions).toEqual([]);
  });

  test('a draft with problems has no form, and is refused where it got them meanwhile', async () => {
    const page = await open(`/plans/${planId}/publish`);
    await client.patch(`${PLANS}/${planId}`, { definition: { ...DEFAULT_PLAN, levels: [] } });
    expect((await open(`/plans/${planId}/publish`)).text).not.toContain('name="effectiveFrom"');
    const unseen = await browser.send(page, 'publish', {});
    expect(unseen.status).toBe(409);
    expect(unseen.text).toContain('Why it cannot be published');
    const sent = await browser.send(page, 'publish', { shownAt: (await stored()).updatedAt });
    expect(sent.status).toBe(422);
    expect(sent.text).toContain('Why it cannot be published');
  });

  test('a draft that was changed since it was shown is not published unseen', async () => {
    await publish();
    const page = await open(`/plans/${planId}/publish`);
    await client.patch(`${PLANS}/${planId}`, { definition: { ...defaultPlanFor('EUR'), holding: { days: 77 } } });
    const sent = await browser.send(page, 'publish', {});
    expect(sent.status).toBe(409);
    expect(sent.text).toContain('was changed meanwhile, and nothing was published');
    expect(sent.text).toContain('Commissions are held 77 days instead of 30.');
    expect((await stored()).versions).toHaveLength(1);
    const forged = await browser.send(page, 'publish', { shownAt: '' });
    expect(forged.status).toBe(400);
    const done = await browser.send(sent, 'publish', {});
    expect(done.status, wordsOf(done.text)).toBe(303);
    expect((await stored()).versions[0]).toMatchObject({ version: 2, definition: { holding: { days: 77 } } });
  });

  test('nor is it published once more by a page that shows the difference to the version before', async () => {
    const page = await open(`/plans/${planId}/publish`);
    await publish();
    const sent = await browser.send(page, 'publish', {});
    expect(sent.status, wordsOf(sent.text)).toBe(409);
    expect(sent.text).toContain('was changed meanwhile, and nothing was published');
    expect((await stored()).versions).toHaveLength(1);
  });

  test('nor where it was changed while a second factor was asked for', async () => {
    const stale = pages.signedIn(tenant, 'admin');
    const asked = await stale.send(await open(`/plans/${planId}/publish`, stale), 'publish', {});
    expect(asked.status).toBe(403);
    await client.patch(`${PLANS}/${planId}`, { definition: { ...defaultPlanFor('EUR'), holding: { days: 77 } } });
    const sent = await stale.send(asked, 'publish', { _answer: RIGHT_CODE });
    expect(sent.status, wordsOf(sent.text)).toBe(409);
    expect((await stored()).versions).toEqual([]);
  });

  test('of another plan count the version in force and later ones, none that has ended', async () => {
    const later = await newPlan({ ...DEFAULT_PLAN, scope: { priority: 7 } }, 'Later');
    await publish({ effectiveFrom: '2099-01-01T00:00:00Z' }, later);
    const both = await newPlan({ ...DEFAULT_PLAN, scope: { priority: 8 } }, 'Both');
    await publish({}, both);
    await client.patch(`${PLANS}/${both}`, { definition: { ...DEFAULT_PLAN, scope: { priority: 9 } } });
    await publish({ effectiveFrom: '2099-01-01T00:00:00Z' }, both);
    const brief = await newPlan(DEFAULT_PLAN, 'Brief');
    const effectiveTo = new Date(Date.now() + 1500);
    await publish({ effectiveTo: effectiveTo.toISOString() }, brief);
    await new Promise((done) => setTimeout(done, Math.max(0, effectiveTo.getTime() - Date.now()) + 50));
    const { text } = await open(`/plans/${planId}/publish`);
    expect(text).toContain('From 1 Jan 2099, 01:00 on: “Later” pays sales that both cover');
    expect(text).toContain('>“Both” pays sales that both cover: its priority is 8');
    expect(text).toContain('on: “Both” pays sales that both cover: its priority is 9');
    expect(text).not.toContain('“Brief”');
    const listed = (await client.get(PLANS)).body.data as { id: string; covers: object[] }[];
    const coversOf = (id: string) => listed.find((plan) => plan.id === id)?.covers;
    expect(coversOf(both)).toMatchObject([
      { version: 1, scope: { priority: 8, types: null } },
      { version: 2, effectiveFrom: '2099-01-01T00:00:00.000Z', scope: { priority: 9 } },
    ]);
    expect(coversOf(brief)).toEqual([]);
    expect(coversOf(planId)).toEqual([]);
  });

  test('other plans for the same sales are told by who pays', async () => {
    const other = await newPlan({ ...DEFAULT_PLAN, scope: { priority: 9 } }, 'Louder');
    await publish({}, other);
    await publish({}, await newPlan({ ...DEFAULT_PLAN, scope: { types: ['one_time'] } }, 'Once'));
    await client.patch(`${PLANS}/${planId}`, {
      definition: { ...DEFAULT_PLAN, scope: { priority: 5, types: ['subscription_renewal'] } },
    });
    const { text } = await open(`/plans/${planId}/publish`);
    expect(text).toContain('“Louder” pays sales that both cover: its priority is 9, that of this plan 5.');
    expect(text).toContain('ahead of “Default plan”');
    expect(text).not.toContain('“Once”');
  });

  test('waits for a second person where the settings say so, and says that it waits', async () => {
    const set = { payments: { dualControl: true }, commissions: { planPublishSecondPair: true } };
    const settings = await client.patch('/api/v1/admin/settings', set);
    expect(settings.status, settings.text).toBe(200);
    const page = await open(`/plans/${planId}/publish`);
    const sent = await browser.send(page, 'publish', {});
    expect([sent.status, sent.location], wordsOf(sent.text)).toEqual([303, `${home}/plans/${planId}/publish`]);
    expect((await stored()).versions).toEqual([]);
    const waits = await open(`/plans/${planId}/publish`);
    expect(waits.text).toContain('waits for a second person');
    expect(waits.text).toContain(`href="${home}/pending-changes"`);
    expect(waits.text).not.toContain('name="effectiveFrom"');
    expect((await browser.send(page, 'publish', { effectiveTo: '2099-01-01T00:00' })).status).toBeGreaterThanOrEqual(400);
  });

  test('is told in words to whoever is to confirm it, with what was changed since', async () => {
    await publish();
    await client.patch('/api/v1/admin/settings', {
      payments: { dualControl: true },
      commissions: { planPublishSecondPair: true },
    });
    await client.patch(`${PLANS}/${planId}`, { name: HOSTILE, definition: { ...defaultPlanFor('EUR'), holding: { days: 14 } } });
    await browser.send(await open(`/plans/${planId}/publish`), 'publish', { effectiveFrom: '2099-07-01T00:00' });
    const second = pages.signedIn(tenant, 'owner', fresh);
    const { text } = await open('/pending-changes', second);
    expect(text).toContain('Commissions are held 14 days instead of 30.');
    expect(text).toContain('What is different from version 1');
    expect(text).toContain('1 Jul 2099, 00:00');
    expect(text).toContain(`href="${home}/plans/${planId}/publish"`);
    expect(text).not.toContain('<img');
    expect(text).not.toContain('{&quot;version&quot;');
    expect(text).not.toContain('cannot be confirmed as it is');
    await client.patch(`${PLANS}/${planId}`, { definition: { ...defaultPlanFor('EUR'), holding: { days: 77 } } });
    const changed = await open('/pending-changes', second);
    expect(changed.text).toContain('The draft was changed since');
    expect(changed.text).toContain('Commissions are held 14 days instead of 30.');
    expect((await open('/pending-changes?status=all', second)).text).toContain('Commissions are held 14 days instead of 30.');
  });

  test('of a plan that is gone shows what would have been published', async () => {
    await client.patch('/api/v1/admin/settings', {
      payments: { dualControl: true },
      commissions: { planPublishSecondPair: true },
    });
    await browser.send(await open(`/plans/${planId}/publish`), 'publish', {});
    expect((await open('/pending-changes')).text).toContain('This is the first version of the plan');
    expect((await browser.send(await open(`/plans/${planId}`), 'delete')).status).toBe(303);
    const { text } = await open('/pending-changes');
    expect(text).toContain('This is the first version of the plan');
    expect(text).not.toContain(`href="${home}/plans/${planId}`);
  });

  test('asks for a second factor in LIVE, and then does it', async () => {
    const stale = pages.signedIn(tenant, 'admin');
    const asked = await stale.send(await open(`/plans/${planId}/publish`, stale), 'publish', {});
    expect(asked.status).toBe(403);
    expect((await stored()).versions).toEqual([]);
    const done = await stale.send(asked, 'publish', { _answer: RIGHT_CODE });
    expect(done.status, wordsOf(done.text)).toBe(303);
    expect((await stored()).versions).toHaveLength(1);
  });
});

describe('each role', () => {
  const READS: Role[] = ['finance', 'developer', 'read-only'];
  test.each(READS)('a %s reads plans in LIVE and changes none', async (role) => {
    const other = pages.signedIn(tenant, role, fresh);
    const list = await open('/plans', other);
    expect(list.text).not.toContain('/plans/new"');
    const page = await open(`/plans/${planId}`, other);
    for (const word of ['/edit"', '/publish"', 'value="rename"', 'value="delete"']) expect(page.text).not.toContain(word);
    for (const path of ['/plans/new', `/plans/${planId}/edit`, `/plans/${planId}/publish`])
      expect((await other.open(home + path)).status, path).toBe(403);
  });

  test('a reviewer sees no plan', async () => {
    const other = pages.signedIn(tenant, 'reviewer', fresh);
    expect((await other.open(home)).text).not.toContain(`${home}/plans"`);
    for (const path of ['/plans', `/plans/${planId}`]) expect((await other.open(home + path)).status).toBe(403);
  });

  test('a developer edits and publishes in SANDBOX', async () => {
    const developer = pages.signedIn(tenant, 'developer');
    const sandbox = apiClient(pages.app, tenant.sandboxKey);
    const id = await newPlan(undefined, 'Tried', sandbox);
    const at = `${pages.home(tenant, 'SANDBOX')}/plans/${id}`;
    const saved = await developer.send(await developer.open(`${at}/edit`), 'edit', { 'holding.days': '2' });
    expect(saved.status, wordsOf(saved.text)).toBe(303);
    const published = await developer.send(await developer.open(`${at}/publish`), 'publish', {});
    expect(published.status, wordsOf(published.text)).toBe(303);
    expect((await sandbox.get(`${PLANS}/${id}`)).body.versions).toMatchObject([{ definition: { holding: { days: 2 } } }]);
  });

  test.each<Role>(['owner', 'admin'])('an %s writes', async (role) => {
    const writer = pages.signedIn(tenant, role, fresh);
    const sent = await writer.send(await open(`/plans/${planId}/edit`, writer), 'edit', { 'holding.days': '3' });
    expect(sent.status, wordsOf(sent.text)).toBe(303);
    const published = await writer.send(await open(`/plans/${planId}/publish`, writer), 'publish', {});
    expect(published.status, wordsOf(published.text)).toBe(303);
  });
});
