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

  test('who has no recruits can neither be opened nor leads to a team', () => {
    const levels = new Map([['', level([node(1, { directReferrals: 0, totalDownline: 0 }), node(2)])]]);
    const { text } = html`${drawTeam(viewContext(), { ...none, top: undefined, levels }).body}`;
    expect(text.match(/data-open="no"/g)).toHaveLength(1);
    expect(text).not.toContain(`/team/${idOf(1)}`);
    expect(text).toContain(`/team/${idOf(2)}`);
  });
});
