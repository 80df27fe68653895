/** How deep the rows of a file are below each other, against a walk of each row. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { measureDepths } from '../../../src/features/imports/link-rows.ts';

const walk = (sponsor: Int32Array, row: number): number[] => {
  const path = [row];
  for (let next = sponsor[row] ?? 0; next !== 0 && path.length <= sponsor.length; next = sponsor[next] ?? 0) path.push(next);
  return path;
};

test('a row is below its sponsor, and exactly the rows of circles are told', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }).chain((rows) => fc.array(fc.nat({ max: rows }), { minLength: rows, maxLength: rows })),
      (above) => {
        const sponsor = Int32Array.from([0, ...above]);
        const { depth, inCircle } = measureDepths(sponsor);
        for (let row = 1; row < sponsor.length; row++) {
          const comesBack = walk(sponsor, row).slice(1).includes(row);
          expect(inCircle[row] === 1).toBe(comesBack);
          const over = sponsor[row] ?? 0;
          expect(depth[row]).toBe(over === 0 || comesBack ? 0 : (depth[over] ?? 0) + 1);
        }
      },
    ),
  );
});

test('a line of a million rows is measured in one pass', () => {
  const sponsor = Int32Array.from({ length: 1_000_001 }, (_none, row) => (row === 0 || row === 1_000_000 ? 0 : row + 1));
  const { depth } = measureDepths(sponsor);
  expect([depth[1], depth[1_000_000]]).toEqual([999_999, 0]);
});
