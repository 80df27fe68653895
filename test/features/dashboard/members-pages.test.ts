/** The list of members, one member with what can be done to it, its move, ledger and export, through HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiClient, type MemberBody } from '../../support/app/api-client.ts';
import type { TestTenant } from '../../support/app/test-app.ts';
import { formsOf, type Opened } from '../../support/pages/browser.ts';
import { type PageApp, startPageApp, wordsOf } from '../../support/pages/page-app.ts';
import { type Story, tellStory } from '../../support/pages/story.ts';
import { plantMembers } from '../../support/tree/plant-tree.ts';

let pages: PageApp;
let tenant: TestTenant;
let other: TestTenant;
let story: Story;
beforeAll(async () => {
  pages = await startPageApp();
  tenant = await pages.app.newTenant({ timeZone: 'Europe/Berlin' });
  other = await pages.app.newTenant();
  story = await tellStory(pages.app, tenant);
});
afterAll(() => pages.app.close());

const fresh = { hasFreshFactor: true, factorAt: new Date() };
const owner = () => pages.signedIn(tenant, 'owner', fresh);
const at = (path: string): string => pages.home(tenant) + path;
const client = () => apiClient(pages.app, tenant.liveKey);

async function openOk(path: string, browser = owner()): Promise<Opened> {
  const opened = await browser.open(at(path));
  expect(opened.status, wordsOf(opened.text)).toBe(200);
  expect(opened.text).not.toMatch(/\sstyle=/);
  return opened;
}

const member = (fields: object = {}): Promise<MemberBody> => client().newMember(fields);

describe('the list', () => {
  test('shows who is there with their sponsors, and finds by the beginning of a name, an email and an id', async () => {
    const { ada, ben } = story.members;
    const all = await openOk('/members');
    for (const { id } of Object.values(story.members)) expect(all.text).toContain(`href="${at(`/members/${id}`)}"`);
    const named = await openOk('/members?q=ben+b');
    expect(named.text).toContain('Found by the beginning of the name');
    expect(named.text).toContain('<bdi>Ben Branch</bdi>');
    expect(named.text).not.toContain('Cleo Limb');
    expect(named.text).toContain('<bdi>Ada Root</bdi>');
    expect((await openOk(`/members?q=${ben.email}`)).text).toContain('Found by the beginning of the email');
    expect((await openOk(`/members?q=${ben.id}`)).text).toContain('Found by id');
    expect((await openOk('/members?q=nobody-is-called-so')).text).toContain('Nobody is found');
    const recruits = await openOk(`/members?sponsorId=${ada.id}`);
    expect(recruits.text).toContain('<bdi>Ben Branch</bdi>');
    expect(recruits.text).not.toContain('Dan Leaf');
  });

  test('answers the rows alone while somebody types', async () => {
    const part = await owner().open(at('/members?q=cleo'), { 'hx-request': 'true', 'hx-target': 'div#members' });
    expect(part.status).toBe(200);
    expect(part.text).toContain('Cleo Limb');
    expect(part.text).not.toContain('<html');
    expect(part.text).not.toContain('role="search"');
    // Beside the rows what would be saved of the search, which follows it.
    expect(formsOf(part.text).map(({ address, fields }) => [address, fields.get('_do')])).toEqual([
      [at('/members?q=cleo'), 'saveView'],
    ]);
    expect(part.text).toContain('<div id="saved-views" class="views" hx-swap-oob="');
  });

  test('leads on by cursor, and back', async () => {
    const many = await pages.app.newTenant();
    const planted = await plantMembers(pages.app, many, { count: 60, sponsor: 'null::int' });
    const browser = pages.signedIn(many, 'owner');
    const first = await browser.open(`${pages.home(many)}/members?sort=-joined`);
    expect(first.status, wordsOf(first.text)).toBe(200);
    const older = /rel="next" href="([^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await browser.open(older);
    expect(second.status).toBe(200);
    const idsOf = (text: string): string[] =>
      [...text.matchAll(/<th scope="row"><a href="[^"]*\/members\/([^"]+)"/g)].map(([, id = '']) => id);
    expect(idsOf(first.text)).toHaveLength(50);
    expect([...idsOf(first.text), ...idsOf(second.text)]).toEqual(planted.ids.toReversed());
    expect(second.text).toMatch(/rel="prev"/);
  });
});

describe('one member', () => {
  test('shows the money with the way to its parts, the team and who recruited it', async () => {
    const { ben, cleo } = story.members;
    const { text } = await openOk(`/members/${cleo.id}`);
    expect(text).toContain('<h1>Cleo Limb</h1>');
    expect(text).toContain(`href="${at(`/members/${ben.id}`)}"><bdi>Ben Branch</bdi>`);
    expect(text).toContain(`/commissions?userId=${cleo.id}`);
    expect(text).toContain('status=held');
    expect(text).toContain('Last sales credited');
    expect(text).toContain(`href="${at(`/members/${cleo.id}/ledger`)}?currency=USD"`);
    expect(text).toContain(`href="${at(`/team/${cleo.id}`)}"`);
    expect(text).toContain(`href="${at(`/sales/${story.sale.id}`)}"`);
  });

  test('none of its ways within members and the tree leads nowhere', async () => {
    const { text } = await openOk(`/members/${story.members.cleo.id}`);
    const ways = [...text.matchAll(/href="([^"#]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
    const own = [...new Set(ways)].filter((href) => /\/(?:members|team)\b/.test(href));
    expect(own.length).toBeGreaterThan(5);
    for (const href of own) expect((await owner().open(href)).status, href).toBeLessThan(400);
  });

  test('a name of another script and one of markup are text of their own', async () => {
    const { id } = await member({ name: '\u202Eevil <b>x</b>' });
    const { text } = await openOk(`/members?q=${id}`);
    expect(text).toContain('<bdi>\u202Eevil &lt;b&gt;x&lt;/b&gt;</bdi>');
    expect((await openOk(`/members/${id}`)).text).not.toContain('<b>x</b>');
  });

  test.each([
    ['no id', 'not-an-id', 400],
    ['nobody', '0198c0de-0000-7000-8000-000000000001', 404],
  ])('%s', async (_what, id, status) => {
    expect((await owner().open(at(`/members/${id}`))).status).toBe(status);
  });

  test("another tenant's member and one of the other environment are not there", async () => {
    const theirs = await apiClient(pages.app, other.liveKey).newMember();
    const sandboxed = await apiClient(pages.app, tenant.sandboxKey).newMember();
    for (const { id } of [theirs, sandboxed]) {
      for (const path of [
        `/members/${id}`,
        `/members/${id}/move`,
        `/members/${id}/ledger`,
        `/members/${id}/data-export`,
        `/team/${id}`,
      ])
        expect((await owner().open(at(path))).status, path).toBe(404);
    }
  });
});

describe('what is done to a member', () => {
  test('a change sends what was touched alone, and stands in the history', async () => {
    const { id } = await member({ name: 'Eve Old', membership_tier: 'ORDINARY' });
    const browser = owner();
    const page = await openOk(`/members/${id}`, browser);
    const same = await browser.send(page, 'change');
    expect(same.status, wordsOf(same.text)).toBe(303);
    expect((await browser.open(same.location ?? '')).text).toContain('Nothing was changed.');

    const again = await openOk(`/members/${id}`, browser);
    const typed = { name: 'Eve New', membership_tier: 'SENIOR', reason: 'Sold much' };
    const changed = await browser.send(again, 'change', typed);
    expect(changed.status, wordsOf(changed.text)).toBe(303);
    const { text } = await browser.open(changed.location ?? '');
    expect(text).toContain('<h1>Eve New</h1>');
    expect(text).toContain('Sold much');
    const { body } = await client().get(`/api/v1/users/${id}`);
    expect(body).toMatchObject({ name: 'Eve New', membership_tier: 'SENIOR' });
  });

  test('what is refused stands beside its field, with what was typed', async () => {
    const { id } = await member();
    const browser = owner();
    const refused = await browser.send(await openOk(`/members/${id}`, browser), 'change', { email: 'no address' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('value="no address"');
    expect(refused.text).toMatch(/id="change-email-fault"/);
  });

  test('it is deactivated and activated, its payouts are held and go on', async () => {
    const { id } = await member();
    const browser = owner();
    const deed = async (action: string, typed: Record<string, string> = {}): Promise<string> => {
      const done = await browser.send(await openOk(`/members/${id}`, browser), action, typed);
      expect(done.status, wordsOf(done.text)).toBe(303);
      return (await browser.open(done.location ?? '')).text;
    };
    expect(await deed('deactivate', { reason: 'Left us' })).toContain('The member is inactive.');
    expect(await deed('activate')).toContain('The member is active again.');
    const held = await deed('hold', { reason: 'Asked us to wait', until: '2099-01-01' });
    expect(held).toContain('Payouts are held.');
    expect(held).toContain('Asked us to wait');
    expect(await deed('lift')).toContain('The hold is lifted.');
  });

  test('it moves under a sponsor that was searched for, and never below itself', async () => {
    const top = await member({ name: 'Mover Top' });
    const mover = await member({ name: 'Mover', parent_id: top.id });
    await member({ name: 'Mover Below', parent_id: mover.id });
    const to = await member({ name: 'Target Person' });
    const browser = owner();
    const found = await openOk(`/members/${mover.id}/move?q=Target`, browser);
    expect(found.text).toContain(`href="${at(`/members/${mover.id}/move`)}?to=${to.id}"`);
    const confirm = await openOk(`/members/${mover.id}/move?to=${to.id}`, browser);
    expect(confirm.text).toContain('Move 2 members');
    const moved = await browser.send(confirm, 'move', { reason: 'Knows them' });
    expect(moved.status, wordsOf(moved.text)).toBe(303);
    expect((await browser.open(moved.location ?? '')).text).toContain('Moved: the member, and 1 below.');
    expect((await client().get(`/api/v1/users/${mover.id}`)).body.parent_id).toBe(to.id);

    const cycle = await browser.send(await openOk(`/members/${to.id}/move?to=${mover.id}`, browser), 'move');
    expect(cycle.status).toBe(409);
    expect(cycle.text).toContain('role="alert"');

    const root = await browser.send(await openOk(`/members/${mover.id}/move?to=root`, browser), 'move');
    expect(root.status).toBe(303);
    expect((await client().get(`/api/v1/users/${mover.id}`)).body.parent_id).toBeNull();
  });

  test('it is erased by whoever types its address', async () => {
    const { id, email } = await member({ name: 'Forget Me' });
    const browser = owner();
    const page = await openOk(`/members/${id}`, browser);
    const wrong = await browser.send(page, 'erase', { confirm: 'somebody@else.example' });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('id="erase-member-confirm-fault"'.replace('erase-member', 'erase'));
    const erased = await browser.send(await openOk(`/members/${id}`, browser), 'erase', { confirm: email });
    expect(erased.status, wordsOf(erased.text)).toBe(303);
    const after = await openOk(`/members/${id}`, browser);
    expect(after.text).not.toContain('Forget Me');
    expect(after.text).not.toContain(email);
  });

  test('a role that reads sees no form, and its deed is refused', async () => {
    const { id } = await member();
    const page = await openOk(`/members/${id}`);
    const reader = pages.signedIn(tenant, 'read-only');
    const seen = await openOk(`/members/${id}`, reader);
    expect(seen.text).not.toMatch(/name="_do" value="(?:change|deactivate|hold|erase|acceptName)"/);
    expect(seen.text).not.toContain(`/members/${id}/move`);
    expect((await reader.open(at(`/members/${id}/move`))).status).toBe(403);
    const sent = await reader.send(page, 'deactivate').catch((error: Error) => error);
    expect(sent).toMatchObject({ status: 403 });
    expect((await client().get(`/api/v1/users/${id}`)).body.is_active).toBe(true);
  });
});

test('the ledger of a member has its entries in a currency; of another there are none', async () => {
  const { cleo } = story.members;
  const { text } = await openOk(`/members/${cleo.id}/ledger?currency=USD`);
  expect(text).toContain('US$1.88');
  expect(text).toContain(`href="${at(`/sales/${story.sale.id}`)}"`);
  expect(text).toContain('Balances in USD');
  const none = (await openOk(`/members/${cleo.id}/ledger?currency=JPY`)).text;
  expect(none).toContain('There is none in JPY');
  expect(none).toContain(`href="${at(`/members/${cleo.id}/ledger`)}?currency=USD">In USD</a>`);
});

test('the books lead to the postings of a member who is searched for, and say when nobody is found', async () => {
  const { cleo } = story.members;
  const found = await owner().open(at(`/ledger?member=${encodeURIComponent(cleo.email)}`));
  expect([found.status, found.location]).toEqual([303, at(`/members/${cleo.id}/ledger`)]);
  expect((await openOk('/ledger?member=nobody-is-called-so')).text).toContain('No single member has this id');
  expect((await openOk('/ledger')).text).not.toContain('No single member');
});

test('members are found by the days on which they joined', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const now = (await openOk(`/members?joinedFrom=2020-01-01&joinedTo=${today.slice(0, 4)}-12-31`)).text;
  expect(now).toContain('Cleo Limb');
  expect(now).toContain('value="2020-01-01"');
  const before = (await openOk('/members?joinedFrom=2020-01-01&joinedTo=2020-01-31')).text;
  expect(before).not.toContain('Cleo Limb');
  expect(before).toContain('Nobody is found');
});

test('the export is all that is held, as a file for whoever may', async () => {
  const { dan } = story.members;
  const answer = await owner().open(at(`/members/${dan.id}/data-export`));
  expect(answer.status, wordsOf(answer.text)).toBe(200);
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(answer.text).toContain('dan@north.example');
  expect((await pages.signedIn(tenant, 'read-only').open(at(`/members/${dan.id}/data-export`))).status).toBe(403);
});

test.each(['owner', 'admin', 'finance', 'reviewer', 'developer', 'read-only'] as const)(
  'the role %s opens what it may, and no other',
  async (role) => {
    const may = role !== 'developer';
    const browser = pages.signedIn(tenant, role);
    for (const path of [
      '/members',
      `/members/${story.members.ada.id}`,
      '/team',
      `/team/${story.members.ada.id}`,
      '/team/relationship',
    ]) {
      const { status, text } = await browser.open(at(path));
      expect(status, `${path} ${wordsOf(text)}`).toBe(may ? 200 : 403);
    }
  },
);
