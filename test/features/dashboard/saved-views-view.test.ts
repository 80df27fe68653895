/** The saved views above a list, as a view alone. */
import { expect, test } from 'vitest';
import { drawViews, filtersSet, type View } from '../../../src/features/dashboard/saved-views/saved-views-view.ts';
import { formsOf } from '../../support/pages/browser.ts';
import { viewContext } from '../../support/pages/view-context.ts';

const view = (more: Partial<View> = {}): View => ({
  id: '0198c0de-0000-7000-8000-000000000001',
  name: 'Held',
  page: '/sales',
  query: { status: 'held' },
  shared: false,
  own: true,
  createdBy: { kind: 'staff', id: 'p-1', name: 'Ada Lovelace' },
  createdAt: '2026-11-22T08:19:00.000Z',
  updatedAt: '2026-11-22T08:19:00.000Z',
  ...more,
});
const theirs = (more: Partial<View> = {}) => view({ own: false, shared: true, ...more });

function drawn(set: Record<string, string>, views: View[], rights?: string[]): string {
  return drawViews(viewContext(rights && { rights }), { path: '/sales', set, views }).text;
}
const actionsOf = (text: string) => formsOf(text).map(({ fields }) => fields.get('_do'));

test('a view is a link to its filters, a shared one says so, and the open one is marked', () => {
  const text = drawn({ status: 'held' }, [theirs({ id: 'b', name: 'All of May', query: { from: '2026-05-01' } }), view()]);
  expect(text).toContain(
    '<a href="/dashboard/acme/live/sales?from=2026-05-01"><bdi>All of May</bdi></a><span class="label">shared</span>',
  );
  expect(text).toContain('<a href="/dashboard/acme/live/sales?status=held" aria-current="page"><bdi>Held</bdi></a></li>');
  expect(text.match(/aria-current/g)).toHaveLength(1);
});

test('without views and filters nothing is drawn, and only filters that are set are saved', () => {
  expect(drawn({}, [])).toBe('<div id="saved-views" class="views"></div>');
  expect(actionsOf(drawn({}, [view()]))).toEqual([]);
  expect(actionsOf(drawn({ status: 'open' }, []))).toEqual(['saveView']);
  expect(filtersSet(['q', 'sort'], { q: ' ida ', sort: '', cursor: 'x', other: 'y' })).toEqual({ q: 'ida' });
});

test('what is open is deleted by whose it is, and what is shared by who may tidy', () => {
  expect(actionsOf(drawn({ status: 'held' }, [view()], []))).toEqual(['saveView', 'deleteView']);
  expect(actionsOf(drawn({ status: 'held', kind: 'refund' }, [view()], []))).toEqual(['saveView']);
  expect(actionsOf(drawn({ status: 'held' }, [theirs()], []))).toEqual(['saveView']);
  const tidy = drawn({ status: 'held' }, [theirs()], ['admin:settings']);
  expect(actionsOf(tidy)).toEqual(['saveView', 'deleteView']);
  expect(tidy).toContain('It was saved by a colleague. Your colleagues lose it too.');
  // Of two that show the same, one's own.
  const both = drawn({ status: 'held' }, [theirs({ id: 'b' }), view()], ['admin:settings']);
  expect(formsOf(both).map(({ fields }) => fields.get('viewId'))).toEqual([null, view().id]);
});

test('the view that is open is saved again as it is: under its name, shared or not', () => {
  const [again] = formsOf(drawn({ status: 'held' }, [view({ name: 'A "b"', shared: true })]));
  expect([again?.fields.get('name'), again?.fields.get('shared')]).toEqual(['A "b"', 'yes']);
  const [first] = formsOf(drawn({ status: 'held' }, [theirs()]));
  expect([first?.fields.get('name'), first?.fields.get('shared')]).toEqual(['', null]);
});

test('a name is text wherever it stands', () => {
  const text = drawn({ status: 'held' }, [view({ name: '"><img src=x onerror=alert(1)>' })]);
  expect(text).not.toContain('<img');
  expect(text.match(/&lt;img src=x/g)).toHaveLength(3);
});

test('of many views the open one and five more are shown, the others fold away', () => {
  const views = Array.from({ length: 14 }, (_, nr) => view({ id: `v-${nr}`, name: `Nr ${nr}`, query: { kind: String(nr) } }));
  const text = drawn({ kind: '13' }, views);
  const [shown = '', folded = ''] = text.split('<details>');
  expect([...shown.matchAll(/<bdi>Nr (\d+)/g)].map(([, nr]) => Number(nr))).toEqual([13, 0, 1, 2, 3, 4]);
  expect(folded).toContain('<summary>8 more</summary>');
  expect([...folded.matchAll(/<li><a[^>]*><bdi>Nr (\d+)/g)].map(([, nr]) => Number(nr))).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
});
