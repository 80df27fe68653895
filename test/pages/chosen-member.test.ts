/** Which member a filter names, and which months can be chosen. */
import { expect, test } from 'vitest';
import { formatsOf } from '../../src/pages/format.ts';
import { chosenMember } from '../../src/pages/parts/chosen-member.ts';
import { monthChoices } from '../../src/pages/parts/months.ts';

const ada = { id: '0198c0de-0000-7000-8000-000000000001', name: 'Ada', email: 'ada@test.example', externalId: 'crm-1' };
const adam = { id: '0198c0de-0000-7000-8000-000000000002', name: 'Adam', email: 'ada@test.example.org', externalId: null };
const other = { id: '0198c0de-0000-7000-8000-000000000003', name: 'Ben', email: 'ben@test.example', externalId: null };

/** As the list of members finds: the beginning of an email or a name, the whole of an id of the tenant's own. */
const find = async (query: Readonly<Record<string, string>>) => ({
  data: [ada, adam, other]
    .filter(({ name, email, externalId }) => {
      const begins = (text: string, by: string | undefined) =>
        by !== undefined && text.toLowerCase().startsWith(by.toLowerCase());
      return (
        begins(name, query['name']) ||
        begins(email, query['email']) ||
        (externalId !== null && externalId === query['externalId'])
      );
    })
    .slice(0, 2),
});

test.each([
  ['', undefined, false],
  ['  ', undefined, false],
  [ada.id.toUpperCase(), ada.id, false],
  ['ada@test.example', ada.id, false],
  ['ADA@test.example.org', adam.id, false],
  ['ada@', undefined, true],
  ['crm-1', ada.id, false],
  ['Ada', ada.id, false],
  ['be', other.id, false],
  ['ad', undefined, true],
  ['nobody', undefined, true],
])('"%s"', async (typed, id, isUnknown) => {
  expect(await chosenMember(typed, find)).toEqual({ id, isUnknown });
});

test('who may not see members names one by id alone', async () => {
  expect(await chosenMember('Ada', async () => undefined)).toEqual({ id: undefined, isUnknown: true });
  expect(await chosenMember(ada.id, async () => undefined)).toEqual({ id: ada.id, isUnknown: false });
});

test('months are those of the zone, and the one that is chosen is among them', () => {
  const berlin = formatsOf('en-GB', 'Europe/Berlin');
  const midnight = new Date('2026-10-31T23:30:00Z');
  expect(monthChoices(berlin, midnight, { count: 3 }).map(({ value }) => value)).toEqual(['2026-11', '2026-10', '2026-09']);
  expect(monthChoices(formatsOf('en-GB', 'UTC'), midnight, { count: 1 })).toEqual([{ value: '2026-10', label: 'Oct 2026' }]);
  expect(monthChoices(berlin, midnight, { count: 1, chosen: '2020-02' }).map(({ value }) => value)).toContain('2020-02');
  expect(monthChoices(berlin, midnight, { count: 1, chosen: '2020-13' })).toHaveLength(1);
});
