/** The list of members as a view alone: escaping, empty states, roles. */
import { expect, test } from 'vitest';
import { drawMembers } from '../../../src/features/dashboard/members/members-view.ts';
import { html } from '../../../src/pages/html.ts';
import { placesOf } from '../../../src/pages/parts/find-members.ts';
import { viewContext } from '../../support/pages/view-context.ts';

const member = {
  id: '0198c0de-0000-7000-8000-000000000001',
  email: 'ida@shop.example',
  name: '<img src=x onerror=alert(1)>',
  externalId: null,
  membershipTier: 'SENIOR' as const,
  sponsorId: null,
  isActive: false,
  canRecruit: true,
  isTestUser: false,
  payCurrency: 'EUR',
  referralCode: 'F9DZ3HZQDS',
  joinedAt: '2026-11-22T08:19:00.000Z',
  updatedAt: '2026-11-22T08:19:00.000Z',
};
const list = { data: [member], nextCursor: null, by: undefined, names: new Map<string, string>() };

test('a name is text, and the first column leads to the member', () => {
  const { text } = html`${drawMembers(viewContext(), list).body}`;
  expect(text).not.toContain('<img');
  expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(text).toContain(`href="/dashboard/acme/live/members/${member.id}"`);
  expect(text).toContain('chip-neutral">inactive');
});

test('without members it says what will appear, with filters why nobody is found', () => {
  const none = { ...list, data: [] };
  expect(html`${drawMembers(viewContext(), none).body}`.text).toContain('Members appear here as they join');
  expect(html`${drawMembers(viewContext({ query: { q: 'ida' } }), none).body}`.text).toContain('Nobody is found');
  expect(html`${drawMembers(viewContext({ rights: ['members:read'] }), none).body}`.text).not.toContain('Import a file');
});

test('what is typed decides where it is looked for', () => {
  expect(placesOf(member.id)[0]).toBe('ids');
  expect(placesOf('ida@')[0]).toBe('email');
  expect(placesOf('ida')).toEqual(['name', 'email', 'externalId']);
});
