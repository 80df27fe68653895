/** Saved views of lists through HTTP: saved, seen, shared and deleted by people of one tenant. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { TestTenant } from '../../support/app/test-app.ts';
import { type Browser, formsOf, type Opened } from '../../support/pages/browser.ts';
import { arrive, follow, hrefOf, wordsOf } from '../../support/pages/follow.ts';
import { type PageApp, startPageApp } from '../../support/pages/page-app.ts';

/** Filters in the order in which they are kept. */
const LISTS: [string, string][] = [
  ['/members', 'sort=name&tier=SENIOR'],
  ['/leads', 'conversion_status=expired'],
  ['/links', 'status=disabled'],
  ['/sales', 'from=2026-05-01&status=held'],
  ['/commissions', 'sort=-amount&status=held'],
  ['/audit', 'actorKind=staff'],
  ['/imports', 'kind=leads'],
];

let pages: PageApp;
let tenant: TestTenant;
let ada: Browser;
let ben: Browser;

beforeAll(async () => {
  pages = await startPageApp();
});
beforeEach(async () => {
  tenant = await pages.app.newTenant();
  ada = pages.signedIn(tenant, 'admin');
  ben = pages.signedIn(tenant, 'read-only');
});
afterAll(() => pages.app.close());

const at = (path: string, of = tenant): string => pages.home(of) + path;

async function openOk(browser: Browser, path: string): Promise<Opened> {
  const page = await browser.open(path);
  expect(page.status, wordsOf(page)).toBe(200);
  return page;
}

/** The page that says it is saved. */
async function save(browser: Browser, path: string, typed: Record<string, string>): Promise<Opened> {
  return arrive(browser, await browser.send(await openOk(browser, path), 'saveView', typed));
}

const actionsOf = ({ text }: Opened) => formsOf(text).map(({ fields }) => fields.get('_do'));

test.each(LISTS)('%s keeps its filters under a name, and the name leads back to them', async (path, query) => {
  const plain = await openOk(ada, at(path));
  expect(actionsOf(plain)).not.toContain('saveView');
  const saved = await save(ada, at(`${path}?${query}&cursor=`), { name: 'My view' });
  expect(wordsOf(saved)).toContain('The view My view is saved.');
  expect(hrefOf(await openOk(ada, at(path)), 'My view')).toBe(at(`${path}?${query}`));
  const opened = await follow(ada, await openOk(ada, at(path)), 'My view');
  expect(opened.text).toContain(`href="${at(`${path}?${query}`).replaceAll('&', '&amp;')}" aria-current="page"`);
  const gone = await arrive(ada, await ada.send(opened, 'deleteView'));
  expect(wordsOf(gone)).toContain('The view is deleted.');
  expect(gone.text).not.toContain('My view');
});

test('a view is its owner’s alone until it is shared, and a colleague cannot delete it', async () => {
  await save(ada, at('/sales?status=held'), { name: 'Only mine' });
  expect((await openOk(ben, at('/sales'))).text).not.toContain('Only mine');
  const shared = await save(ada, at('/sales?status=held'), { name: 'For all', shared: 'yes' });
  const seen = await openOk(ben, at('/sales?status=held'));
  expect(hrefOf(seen, 'For all')).toBe(at('/sales?status=held'));
  expect(seen.text).toContain('<bdi>For all</bdi></a><span class="label">shared</span>');
  expect(seen.text).not.toContain('Only mine');
  expect(actionsOf(seen)).not.toContain('deleteView');
  // The form of the other, with the colleague's own token: the operation says no.
  await save(ben, at('/sales?status=held'), { name: 'Of Ben' });
  const viewId =
    formsOf(shared.text)
      .find(({ fields }) => fields.get('_do') === 'deleteView')
      ?.fields.get('viewId') ?? '';
  expect(viewId).not.toBe('');
  const refused = await ben.send(await openOk(ben, at('/sales?status=held')), 'deleteView', { viewId });
  expect(refused.status).toBe(404);
  expect((await openOk(ada, at('/sales'))).text).toContain('For all');
  // Of another list there is nothing, nor in the sandbox, nor for another tenant.
  const stranger = await pages.app.newTenant();
  expect((await openOk(ada, at('/commissions'))).text).not.toContain('For all');
  expect((await openOk(ada, `${pages.home(tenant, 'SANDBOX')}/sales`)).text).not.toContain('For all');
  expect((await openOk(pages.signedIn(stranger, 'owner'), at('/sales', stranger))).text).not.toContain('For all');
});

test('a name of markup is text, and one that is none is refused beside its field', async () => {
  const hostile = '"><script>alert(1)</script>';
  const saved = await save(ada, at('/sales?order=%3Cb%3E'), { name: hostile, shared: 'yes' });
  for (const { text } of [saved, await openOk(ben, at('/sales'))]) {
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  }
  const page = await openOk(ada, at('/sales?kind=refund'));
  const refused = await ada.send(page, 'saveView', { name: ' ', shared: 'yes' });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('id="saveView-name-fault"');
  const again = formsOf(refused.text).find(({ fields }) => fields.get('_do') === 'saveView');
  expect(again?.fields.get('shared')).toBe('yes');
  expect(again?.address).toBe(at('/sales?kind=refund'));
});

test('a form that is sent twice saves once, and one without its token nothing', async () => {
  const page = await openOk(ada, at('/sales?kind=refund'));
  const first = await ada.send(page, 'saveView', { name: 'Refunds' });
  const second = await ada.send(page, 'saveView', { name: 'Refunds' });
  expect([first.status, second.status]).toEqual([303, 303]);
  expect(second.location).toBe(first.location);
  const rows = await pages.app.database.asSuperuser('select audit.action from audit_log audit where audit.tenant_id = $1', [
    tenant.tenantId,
  ]);
  expect(rows.filter(({ action }) => action === 'saved_view.saved')).toHaveLength(1);
  expect((await ada.send(page, 'saveView', { name: 'Forged', _token: 'x' })).status).toBe(403);
  expect((await openOk(ada, at('/sales'))).text).not.toContain('Forged');
});
