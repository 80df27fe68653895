/** The tree and the way between two members as views alone: long ways, deep rows, names of any script. */
import { describe, expect, test } from 'vitest';
import { drawRelationship } from '../../../src/features/dashboard/team/relationship-view.ts';
import { drawTeam } from '../../../src/features/dashboard/team/team-view.ts';
import type { TreeNode } from '../../../src/features/dashboard/team/tree-node.ts';
import { html } from '../../../src/pages/html.ts';
import { viewContext } from '../../support/pages/view-context.ts';

const idOf = (n: number): string => `0198c0de-0000-7000-8000-${String(n).padStart(12, '0')}`;

function node(n: number, more: Partial<TreeNode> = {}): TreeNode {
  return {
    userId: idOf(n),
    email: `${n}@shop.example`,
    name: `Member ${n}`,
    givenName: null,
    surname: null,
    membershipTier: 'ORDINARY',
    isActive: true,
    depth: 0,
    directReferrals: 1,
    totalDownline: 1_000 - n,
    joinedAt: '2026-11-22T08:19:00.000Z',
    ...more,
  };
}

const picked = (n: number) => ({
  id: idOf(n),
  name: `Member ${n}`,
  email: `${n}@shop.example`,
  membershipTier: 'ORDINARY',
  isActive: true,
});

describe('the way between two members', () => {
  const draw = (relationship: 'downline' | 'crossline', path: readonly TreeNode[]): string => {
    const last = path.length - 1;
    const relation = { relationship, distance: last, path };
    const view = drawRelationship(viewContext(), {
      of: picked(0),
      to: picked(last),
      slot: undefined,
      found: undefined,
      relation,
    });
    return html`${view.body}`.text;
  };

  test('of many levels has its ends, and says how many are left out', () => {
    const text = draw(
      'downline',
      Array.from({ length: 2_001 }, (_one, n) => node(n)),
    );
    expect(text).toContain('2000 levels down');
    expect(text.match(/<li class="way-down/g)).toHaveLength(23);
    expect(text).toContain('>Member 0<');
    expect(text).toContain('>Member 11<');
    expect(text).not.toContain('>Member 12<');
    expect(text).toContain('1,977 more between');
    expect(text).toContain('>Member 1989<');
    expect(text).toContain('>Member 2000<');
  });

  test('up and down again keeps where they meet', () => {
    const path = Array.from({ length: 101 }, (_one, n) => node(n, { totalDownline: 500 - Math.abs(n - 60) }));
    const text = draw('crossline', path);
    expect(text).toContain('60 levels up, 40 levels down');
    expect(text).toMatch(/Member 60<\/bdi>.{0,200}both are below/);
    expect(text.match(/both are below/g)).toHaveLength(2);
    expect(text).toContain('47 more between');
    expect(text).toContain('27 more between');
  });
});

describe('the tree', () => {
  const level = (rows: readonly TreeNode[], nextCursor: string | null = null) => ({ rows, nextCursor });
  const none = { upline: [], way: new Map(), found: undefined };

  test('a deep row stands no further in than the styles go', () => {
    const levels = new Map(Array.from({ length: 20 }, (_one, n) => [n === 0 ? '' : idOf(n), level([node(n + 1)])] as const));
    const { text } = html`${drawTeam(viewContext(), { ...none, top: undefined, levels }).body}`;
    expect(text).toContain('class="tree-level-12" data-row="member" data-level="20"');
    expect(text).not.toMatch(/tree-level-1[3-9]|tree-level-20/);
  });

  test('a name is text of its own, in rows and in words about them', () => {
    const hostile = '\u202E<img src=x onerror=alert(1)>';
    const levels = new Map([['', level([node(1, { name: hostile, directReferrals: 60 })], 'more')]]);
    const { text } = html`${drawTeam(viewContext(), { ...none, top: undefined, levels }).body}`;
    expect(text).not.toContain('<img');
    expect(text.split(hostile.slice(0, 1)).length - 1).toBe(text.split('<bdi>\u202E').length - 1);
  });

  test.each([
    [0, 1_000, '100%', 72],
    [1, 1_000, '&gt;99%', 72],
    [500, 1_000, '50%', 36],
    [999, 1_000, '&lt;1%', 1],
    [1_000, 1_000, '0%', 0],
  ])(
    '%i active of %i is %s inactive, neither nobody nor everybody where it is not so',
    (activeDownline, totalDownline, words, width) => {
      const levels = new Map([['', level([node(1, { activeDownline, totalDownline })])]]);
      const view = drawTeam(viewContext({ query: { mark: 'inactive' } }), { ...none, top: undefined, levels });
      const { text } = html`${view.body}`;
      expect(text).toContain(`below inactive, ${words}, </span>`);
      expect(text).toContain(`<rect class="fill-waiting" width="${width}"`);
    },
  );

  test('an amount that is no exact number is written in digits; what the member lost has its sign', () => {
    const sum = (totalAmount: number | null, totalAmountExact?: string) => ({
      commissionsThisMonth: { month: '2026-11', currency: 'EUR', totalAmount, ...(totalAmountExact && { totalAmountExact }) },
    });
    const levels = new Map([['', level([node(1, sum(null, '90071992547409930.05')), node(2, sum(-0.05))], 'more')]]);
    const draw = (rights: string[]): string =>
      html`${drawTeam(viewContext({ query: { mark: 'commissions' }, rights }), { ...none, top: undefined, levels }).body}`.text;
    const text = draw(['*']);
    expect(text).toContain('€90,071,992,547,409,930.05');
    expect(text).toContain('-€0.05');
    expect(text).toContain(`/commissions?userId=${idOf(1)}&amp;period=2026-11&amp;currency=EUR`);
    // Rows without members are as wide as the others.
    expect(text.match(/colspan="7"/g)).toHaveLength(2);
    const reviewer = draw(['members:read']);
    expect(reviewer).not.toContain('€');
    expect(reviewer.match(/colspan="6"/g)).toHaveLength(2);
  });

  test('who has no recruits can neither be opened nor leads to a team', () => {
    const levels = new Map([['', level([node(1, { directReferrals: 0, totalDownline: 0 }), node(2)])]]);
    const { text } = html`${drawTeam(viewContext(), { ...none, top: undefined, levels }).body}`;
    expect(text.match(/data-open="no"/g)).toHaveLength(1);
    expect(text).not.toContain(`/team/${idOf(1)}`);
    expect(text).toContain(`/team/${idOf(2)}`);
  });
});
