/** What new members add to those above them, against a walk from each sponsor to its root. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Ancestor, type Joined, shareCounts } from '../../../src/features/users/share-counts.ts';

/** Of each member the number of its sponsor, a lower one, or 0 for a root. */
const forest = fc
  .integer({ min: 1, max: 40 })
  .chain((size) => fc.tuple(...Array.from({ length: size }, (_none, index) => fc.nat({ max: index }))));

const recruits = fc.array(
  fc.record({ under: fc.nat({ max: 39 }), members: fc.integer({ min: 1, max: 9 }), active: fc.nat({ max: 9 }) }),
  {
    maxLength: 20,
  },
);

test('each ancestor has its share in one row, and nobody else has one', () => {
  fc.assert(
    fc.property(forest, recruits, fc.integer(), (sponsors, some, seed) => {
      const parentOf = (n: number) => sponsors[n - 1] ?? 0;
      const joined: Joined[] = some.map(({ under, members, active }) => ({
        sponsorId: `${1 + (under % sponsors.length)}`,
        members,
        active: Math.min(active, members),
      }));
      const expected = new Map<string, [number, number]>();
      for (const { sponsorId, members, active } of joined) {
        for (let n = Number(sponsorId); n !== 0; n = parentOf(n)) {
          const [before, activeBefore] = expected.get(`${n}`) ?? [0, 0];
          expected.set(`${n}`, [before + members, activeBefore + active]);
        }
      }
      const above: Ancestor[] = [...expected.keys()]
        .toSorted((a, b) => ((Number(a) * 7 + seed) % 13) - ((Number(b) * 7 + seed) % 13))
        .map((id) => ({ id, parentId: parentOf(Number(id)) === 0 ? null : `${parentOf(Number(id))}` }));
      const shares = shareCounts(joined, above);
      const told = shares.flatMap(({ ancestorIds, members, active }) =>
        ancestorIds.map((id): [string, [number, number]] => [id, [members, active]]),
      );
      expect(told.length).toBe(expected.size);
      expect(new Map(told)).toEqual(expected);
      expect(new Set(shares.map(({ members, active }) => `${members} ${active}`)).size).toBe(shares.length);
    }),
  );
});

test('a line has one row where nobody joins, with those below first', () => {
  const line = Array.from({ length: 5 }, (_none, n) => ({ id: `${n}`, parentId: n === 0 ? null : `${n - 1}` }));
  expect(
    shareCounts(
      [
        { sponsorId: '4', members: 2, active: 1 },
        { sponsorId: '1', members: 1, active: 1 },
      ],
      line,
    ),
  ).toEqual([
    { ancestorIds: ['4', '3', '2'], members: 2, active: 1 },
    { ancestorIds: ['1', '0'], members: 3, active: 2 },
  ]);
});

test('a sponsor that is not among those above is no silent loss', () => {
  expect(() => shareCounts([{ sponsorId: 'b', members: 1, active: 1 }], [{ id: 'a', parentId: null }])).toThrow();
});
