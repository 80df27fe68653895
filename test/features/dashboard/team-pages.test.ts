/** The tree of the team without script, through HTTP: rows, what opens them, what is found. Source: docs/specification/pages.md#tree. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiClient, type MemberBody } from '../../support/app/api-client.ts';
import type { TestTenant } from '../../support/app/test-app.ts';
import type { Browser, Opened } from '../../support/pages/browser.ts';
import { type PageApp, startPageApp, wordsOf } from '../../support/pages/page-app.ts';
import { countAnew, type Planted, plantMembers } from '../../support/tree/plant-tree.ts';

let pages: PageApp;
let tenant: TestTenant;
let wide: TestTenant;
let star: Planted;
let people: Record<'ada' | 'ben' | 'bob' | 'cleo' | 'dan', MemberBody>;
/** Below one root, of whom the first has one recruit. */
const STAR = 130;

beforeAll(async () => {
  pages = await startPageApp();
  tenant = await pages.app.newTenant();
  wide = await pages.app.newTenant();
  const client = apiClient(pages.app, tenant.liveKey);
  const ada = await client.newMember({ name: 'Ada Root' });
  const ben = await client.newMember({ name: 'Ben Branch', parent_id: ada.id });
  const bob = await client.newMember({ name: 'Bob <b>Bold</b>', parent_id: ada.id, membership_tier: 'DIRECTOR' });
  const cleo = await client.newMember({ name: 'Cleo Limb', parent_id: bob.id });
  const dan = await client.newMember({ name: 'Dan Leaf', parent_id: cleo.id });
  people = { ada, ben, bob, cleo, dan };
  star = await plantMembers(pages.app, wide, {
    count: STAR + 2,
    sponsor: `case when n = ${STAR + 2} then 2 when n > 1 then 1 end`,
  });
  await countAnew(pages.app, wide);
});
afterAll(() => pages.app.close());

interface Row {
  id: string;
  kind: string;
  level: number;
  open: string | undefined;
  text: string;
  links: string[];
}

/** What the body of the tree has, row by row. */
function rowsOf(text: string): Row[] {
  return [...text.matchAll(/<tr\b([^>]*data-row="(\w+)"[^>]*)>(.*?)<\/tr>/gs)].map(([, tag = '', kind = '', inner = '']) => ({
    id: /id="m-([^"]+)"/.exec(tag)?.[1] ?? '',
    kind,
    level: Number(/data-level="(\d+)"/.exec(tag)?.[1]),
    open: /data-open="(\w+)"/.exec(tag)?.[1],
    text: inner
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
    links: [...inner.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&')),
  }));
}

const shape = (rows: readonly Row[]): string[] =>
  rows.map(({ level, kind, open, id }) => `${level} ${kind} ${id} ${open ?? ''}`.trim());
const inTenant = (path: string, of = tenant): string => pages.home(of) + path;

async function openTree(
  path: string,
  of = tenant,
  browser: Browser = pages.signedIn(of, 'owner'),
): Promise<Opened & { rows: Row[] }> {
  const opened = await browser.open(path.startsWith('/dashboard') ? path : inTenant(path, of));
  expect(opened.status, wordsOf(opened.text)).toBe(200);
  expect(opened.text).not.toMatch(/\sstyle=|<script>/);
  return { ...opened, rows: rowsOf(opened.text) };
}

const turnOf = (rows: readonly Row[], { id }: { id: string }): string => rows.find((row) => row.id === id)?.links[0] ?? '';

describe('a small tree', () => {
  test('of one root is open, and a link opens and closes each row', async () => {
    const { ada, ben, bob, cleo } = people;
    const first = await openTree('/team');
    const closed = [`1 member ${ada.id} yes`, `2 member ${ben.id}`, `2 member ${bob.id} no`];
    expect(shape(first.rows)).toEqual(closed);
    expect(first.rows[0]?.text).toContain('4 below');
    expect(first.text).not.toContain('<b>Bold');
    const next = await openTree(turnOf(first.rows, bob));
    expect(shape(next.rows)).toEqual([...closed.slice(0, 2), `2 member ${bob.id} yes`, `3 member ${cleo.id} no`]);
    expect(shape((await openTree(turnOf(next.rows, bob))).rows)).toEqual(closed);
    const shut = await openTree(turnOf((await openTree(turnOf(next.rows, bob))).rows, ada));
    expect(shape(shut.rows)).toEqual([`1 member ${ada.id} no`]);
    expect(turnOf(first.rows, bob)).toMatch(new RegExp(`#m-${bob.id}$`));
  });

  test('of a member begins with the member, names those above, and says that a leaf has nobody', async () => {
    const { ada, bob, cleo, dan } = people;
    const team = await openTree(`/team/${bob.id}`);
    expect(shape(team.rows)).toEqual([`1 member ${bob.id} yes`, `2 member ${cleo.id} no`]);
    expect(team.text).toContain('<h1>Team of Bob &lt;b&gt;Bold&lt;/b&gt;</h1>');
    expect(team.text).toContain(`<a href="${inTenant(`/team/${ada.id}`)}">`);
    const leaf = await openTree(`/team/${dan.id}`);
    expect(shape(leaf.rows)).toEqual([`1 member ${dan.id}`, '2 nobody']);
    expect(leaf.rows[1]?.text).toContain('Nobody was recruited yet');
  });

  test('finding one leads to its row below its ancestors; finding several lists them', async () => {
    const { ada, ben, bob, cleo, dan } = people;
    const browser = pages.signedIn(tenant, 'owner');
    const found = await browser.open(inTenant('/team?find=dan'));
    expect(found.status).toBe(303);
    expect(found.location).toBe(`${inTenant(`/team/${ada.id}`)}?at=${dan.id}#m-${dan.id}`);
    const { rows, text } = await openTree(found.location?.split('#')[0] ?? '');
    expect(shape(rows)).toEqual([
      `1 member ${ada.id} yes`,
      `2 member ${ben.id}`,
      `2 member ${bob.id} yes`,
      `3 member ${cleo.id} yes`,
      `4 member ${dan.id}`,
    ]);
    expect(text.match(/data-found/g)).toHaveLength(1);
    expect(text).toMatch(new RegExp(`id="m-${dan.id}"[^>]*data-found`));
    // Who goes on from there keeps the rows open.
    expect(shape((await openTree(turnOf(rows, cleo))).rows).at(-1)).toBe(`3 member ${cleo.id} no`);

    const several = await browser.open(inTenant('/team?find=b'));
    expect(several.status).toBe(200);
    expect(several.text).toContain(`href="${inTenant('/team')}?at=${ben.id}"`);
    expect(several.text).toContain(`href="${inTenant('/team')}?at=${bob.id}"`);
    expect((await browser.open(inTenant('/team?find=nobody'))).text).toContain('Nobody is found');
    expect((await browser.open(inTenant(`/team?at=${ada.id}`))).location).toBe(`${inTenant(`/team/${ada.id}`)}#m-${ada.id}`);
  });

  test('who is not below the team in the address is shown where it stands', async () => {
    const { ben, dan, ada } = people;
    const answer = await pages.signedIn(tenant, 'owner').open(inTenant(`/team/${ben.id}?at=${dan.id}`));
    expect([answer.status, answer.location]).toEqual([303, `${inTenant(`/team/${ada.id}`)}?at=${dan.id}#m-${dan.id}`]);
  });

  test('an address with ids of nobody, of another tenant and of no form opens what there is', async () => {
    const theirs = await apiClient(pages.app, wide.sandboxKey).newMember();
    const { rows } = await openTree(`/team?open=${people.ada.id}.${theirs.id}.0198c0de-0000-7000-8000-000000000001.%3Cb%3E.`);
    expect(rows.map(({ id }) => id)).toEqual([people.ada.id, people.ben.id, people.bob.id]);
    const browser = pages.signedIn(tenant, 'owner');
    expect((await browser.open(inTenant(`/team/${theirs.id}`))).status).toBe(404);
    expect((await browser.open(inTenant(`/team?at=${theirs.id}`))).status).toBe(404);
    expect((await browser.open(inTenant('/team/nobody'))).status).toBe(400);
    expect((await browser.open(inTenant('/team?sort=size'))).status).toBe(400);
  });

  test('marks say the share of the team above and the tier', async () => {
    const share = await openTree(`/team?mark=share`);
    expect(share.rows.find(({ id }) => id === people.bob.id)?.text).toContain('75% of the team above');
    expect((await openTree('/team?mark=tier')).text).toMatch(new RegExp(`id="m-${people.bob.id}" class="[^"]*tree-director`));
  });

  test('marks say who is inactive below, of those who have a downline', async () => {
    const own = await pages.app.newTenant();
    const client = apiClient(pages.app, own.liveKey);
    const top = await client.newMember({ name: 'Top' });
    const [half, all, none, leaf] = [
      await client.newMember({ parent_id: top.id }),
      await client.newMember({ parent_id: top.id }),
      await client.newMember({ parent_id: top.id }),
      await client.newMember({ parent_id: top.id, is_active: false }),
    ];
    for (const [parent, is_active] of [
      [half, true],
      [half, false],
      [all, false],
      [none, true],
    ] as const) {
      await client.newMember({ parent_id: parent.id, is_active });
    }
    const { rows, text } = await openTree('/team?mark=inactive', own);
    const textOf = ({ id }: MemberBody): string => rows.find((row) => row.id === id)?.text ?? '';
    expect(textOf(half)).toContain('1 of 2 below inactive, 50%');
    expect(textOf(all)).toContain('1 of 1 below inactive, 100%');
    expect(textOf(none)).toContain('0 of 1 below inactive, 0%');
    expect(textOf(leaf)).not.toContain('below inactive');
    // The leaf is below the top itself.
    expect(textOf(top)).toContain('3 of 8 below inactive, 38%');
    expect(text).toContain('<option value="inactive" selected>Inactive share</option>');
    const part = await pages
      .signedIn(own, 'owner')
      .open(inTenant(`/team/${top.id}?mark=inactive`, own), { 'hx-request': 'true', 'hx-target': 'rows' });
    expect(part.text).toContain('1 of 2 below inactive, 50%');
    expect((await openTree('/team', own)).text).not.toContain('below inactive');
  });

  test('marks lead to what each row earned this month, and are not offered to who may not see it', async () => {
    const own = await pages.app.newTenant({ currency: 'EUR' });
    const client = apiClient(pages.app, own.liveKey);
    const top = await client.newMember({ name: 'Top', membership_tier: 'DIRECTOR' });
    const ben = await client.newMember({ name: 'Ben', membership_tier: 'DIRECTOR', parent_id: top.id });
    const idle = await client.newMember({ name: 'Idle', parent_id: top.id });
    const sale = client.purchaseBody({ currency: 'EUR', attribution: { user_id: ben.id }, amount_minor: 10_000 });
    expect((await client.post('/api/v1/events/purchase', sale)).status).toBe(201);

    const { rows, text } = await openTree('/team?mark=commissions', own);
    const rowOf = ({ id }: MemberBody): Row | undefined => rows.find((row) => row.id === id);
    expect(text).toContain('>Earned this month</th>');
    expect(rowOf(ben)?.text).toContain('€10.00 of commissions of Ben');
    expect(rowOf(top)?.text).toContain('€5.00 of commissions of Top');
    expect(rowOf(idle)?.text).toContain('€0.00');
    const link = rowOf(ben)?.links.find((href) => href.includes('/commissions?')) ?? '';
    expect(new URLSearchParams(link.split('?')[1]).get('userId')).toBe(ben.id);
    const lines = await pages.signedIn(own, 'owner').open(link);
    expect(lines.status, link).toBe(200);
    expect(wordsOf(lines.text)).toContain('€10.00');
    expect(rowOf(idle)?.links.some((href) => href.includes('/commissions?'))).toBe(false);

    const reviewer = await openTree('/team?mark=commissions', own, pages.signedIn(own, 'reviewer'));
    expect(reviewer.rows).toHaveLength(3);
    expect(reviewer.text).toContain('<option value="inactive">');
    for (const word of ['<option value="commissions"', 'Earned this month', '€']) expect(reviewer.text).not.toContain(word);
  });

  test('the sandbox has its own tree, which says what will appear', async () => {
    const empty = await pages.signedIn(tenant, 'owner').open(`${pages.home(tenant, 'SANDBOX')}/team`);
    expect(empty.status).toBe(200);
    expect(empty.text).toContain('The tree appears here as members join');
    expect(empty.text).not.toContain('Ada Root');
  });
});

describe('a wide level', () => {
  const top = (): string => `/team/${star.id(1)}`;

  test('comes in pages of fifty, each once, to its end', async () => {
    const seen: string[] = [];
    let path: string | undefined = top();
    for (let nr = 0; path !== undefined && nr < 5; nr += 1) {
      const { rows }: { rows: Row[] } = await openTree(path, wide);
      expect(rows[1]?.kind).toBe('filter');
      const members = rows.filter(({ kind, level }) => kind === 'member' && level === 2);
      expect(members.length).toBe(nr < 2 ? 50 : STAR - 100);
      seen.push(...members.map(({ id }) => id));
      const more: Row | undefined = rows.find(({ kind }) => kind === 'more');
      if (more) expect(more.text).toContain('Show 50 more');
      path = more?.links[0];
    }
    expect(seen).toEqual(star.ids.slice(1, STAR + 1));
  });

  test('by size the only team comes first', async () => {
    const { rows } = await openTree(`${top()}?sort=-totalDownline`, wide);
    expect(rows.filter(({ kind }) => kind === 'member')[1]).toMatchObject({ id: star.id(2), open: 'no' });
  });

  test('is filtered by a part of the address', async () => {
    const prefix = star.id(1).slice(0, 8);
    const { rows } = await openTree(`${top()}?q=117@${prefix}`, wide);
    expect(shape(rows).slice(1)).toEqual(['2 filter', `2 member ${star.id(117)}`]);
    const none = await openTree(`${top()}?q=%3Cimg+src%3Dx%3E`, wide);
    expect(shape(none.rows).slice(1)).toEqual(['2 filter', '2 nobody']);
    expect(none.text).not.toContain('<img');
  });

  test('whoever is found far down stands ahead of it, once', async () => {
    const { rows } = await openTree(`${top()}?at=${star.id(120)}`, wide);
    const found = rows.filter(({ id }) => id === star.id(120));
    expect(found).toHaveLength(1);
    expect(found[0]?.text).toContain('further down in this order');
    expect(rows.filter(({ kind, level }) => kind === 'member' && level === 2)).toHaveLength(51);
    const near = await openTree(`${top()}?at=${star.id(5)}`, wide);
    expect(near.text).not.toContain('further down in this order');
  });

  test('a script gets the rows of one level alone', async () => {
    const headers = { 'hx-request': 'true', 'hx-target': 'rows' };
    const part = await pages.signedIn(wide, 'owner').open(inTenant(top(), wide), headers);
    expect(part.status).toBe(200);
    expect(part.text.startsWith('<tr')).toBe(true);
    const rows = rowsOf(part.text);
    expect(rows.map(({ kind }) => kind)).toEqual(['filter', ...Array.from({ length: 50 }, () => 'member'), 'more']);
    expect(new Set(rows.map(({ level }) => level))).toEqual(new Set([1]));
    expect(rows[1]).toMatchObject({ id: star.id(2), open: 'no' });
    const roots = rowsOf((await pages.signedIn(wide, 'owner').open(inTenant('/team', wide), headers)).text);
    expect(shape(roots)).toEqual([`1 member ${star.id(1)} no`]);
  });
});

describe('the relationship of two members', () => {
  const path = (query: Record<string, string>): string => inTenant(`/team/relationship?${new URLSearchParams(query).toString()}`);
  const browser = (): Browser => pages.signedIn(tenant, 'owner');

  test('both are picked by search', async () => {
    const { ben, dan } = people;
    const first = await browser().open(path({ find: 'ben' }));
    expect(first.text).toContain(`href="${inTenant('/team/relationship')}?of=${ben.id}"`);
    const second = await browser().open(path({ of: ben.id, pick: 'to', find: 'dan' }));
    expect(second.text).toContain(`href="${inTenant('/team/relationship')}?of=${ben.id}&amp;to=${dan.id}"`);
  });

  test.each([
    ['ben', 'dan', '1 level up, 3 levels down', ['Ben Branch', 'Ada Root', 'Bob <b>Bold</b>', 'Cleo Limb', 'Dan Leaf']],
    ['dan', 'ada', '3 levels up', ['Dan Leaf', 'Cleo Limb', 'Bob <b>Bold</b>', 'Ada Root']],
    ['bob', 'cleo', '1 level down', ['Bob <b>Bold</b>', 'Cleo Limb']],
    ['bob', 'bob', 'One member', ['Bob <b>Bold</b>']],
  ] as const)('from %s to %s it is %s', async (of, to, title, names) => {
    const { status, text } = await browser().open(path({ of: people[of].id, to: people[to].id }));
    expect(status, wordsOf(text)).toBe(200);
    expect(text).toContain(`<h2>${title}</h2>`);
    const way = /<ol class="way">.*?<\/ol>/s.exec(text)?.[0] ?? '';
    const drawn = [...way.matchAll(/<bdi>(.*?)<\/bdi>/g)].map(([, name = '']) =>
      name.replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
    );
    expect(drawn).toEqual(names);
    expect(way.match(/both are below/g)?.length ?? 0).toBe(of === 'ben' ? 1 : 0);
  });

  test('of different trees there is no way', async () => {
    const alone = await apiClient(pages.app, tenant.liveKey).newMember({ name: 'Alone' });
    const { text } = await browser().open(path({ of: people.dan.id, to: alone.id }));
    expect(text).toContain('They stand in different trees');
    await apiClient(pages.app, tenant.liveKey).post(`/api/v1/members/${alone.id}/sponsor`, { sponsorId: people.ben.id });
  });

  test('of nobody it is not there', async () => {
    expect((await browser().open(path({ of: people.dan.id, to: '0198c0de-0000-7000-8000-000000000001' }))).status).toBe(404);
    expect((await browser().open(path({ of: 'x', to: 'y' }))).status).toBe(400);
  });
});
