/** Every sweep has a `due`, and every `due` a sweep, in the house as it is opened. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { house } from '../../../src/features.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { type Swept, sweepFaults } from './sweeps.ts';

const opened: Swept[] = [];
let app: TestApp;

beforeAll(async () => {
  for (const { feature } of house.entries) {
    const open = feature.open.bind(feature);
    vi.spyOn(feature, 'open').mockImplementation((kit, needs) => {
      const one = open(kit, needs);
      opened.push({
        name: feature.name,
        due: Object.keys(feature.due ?? {}),
        sweeps: (one.sweeps ?? []).map(({ name }) => name),
      });
      return one;
    });
  }
  // One of its own: an app that several files share may be open already.
  app = await startTestApp({}, 'own');
  vi.restoreAllMocks();
});
afterAll(() => app.close());

test('a feature has what is due for each of its sweeps, and a sweep for all that is due', () => {
  expect(opened.map(({ name }) => name)).toEqual(house.features.map(({ name }) => name));
  expect(
    sweepFaults(opened),
    "Give the feature's description a `due` under the name of the sweep, and what it opens a sweep under the name of the `due`.",
  ).toEqual([]);
});

test('the worker runs just these', () => {
  expect(app.composition.background.sweeps.map(({ name }) => name).toSorted()).toEqual(
    opened.flatMap(({ sweeps }) => sweeps).toSorted(),
  );
});

test('a sweep without due is refused, and due without a sweep', () => {
  const leads = { name: 'leads', due: ['expire-leads'], sweeps: ['expire-leads'] };
  expect(sweepFaults([leads])).toEqual([]);
  expect(sweepFaults([{ ...leads, due: [] }])).toEqual(['leads has the sweep expire-leads, and no due of that name']);
  expect(sweepFaults([{ ...leads, sweeps: [] }])).toEqual(['leads has expire-leads due, and no sweep of that name']);
});

test('a sweep whose due stands in another feature is refused, and one of two of a name', () => {
  const due = { name: 'leads', due: ['expire-leads'], sweeps: [] };
  const sweeps = { name: 'users', due: [], sweeps: ['expire-leads'] };
  expect(sweepFaults([due, sweeps])).toHaveLength(2);
  const both = { name: 'imports', due: ['expire-leads'], sweeps: ['expire-leads'] };
  expect(sweepFaults([both, { ...both, name: 'leads' }])).toEqual([
    'there are two sweeps expire-leads',
    'there are two due expire-leads',
  ]);
});
