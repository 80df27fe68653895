/** The generated files of the library are what the document makes. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generateSources } from '../../packages/sdk/sources.ts';
import { operations } from '../../packages/sdk/src/operations.ts';

test('they are: npm run -s -w @mcr/sdk generate writes them anew', async () => {
  const sources = await generateSources();
  expect(Object.keys(sources)).toEqual(['schema.ts', 'operations.ts', 'currencies.ts']);
  for (const [name, text] of Object.entries(sources)) {
    expect(readFileSync(`packages/sdk/src/${name}`, 'utf8') === text, name).toBe(true);
  }
});

test('no operation of people or of vendors is among them', () => {
  expect(Object.keys(operations)).not.toContain('receivePaymentEvent');
  expect(Object.keys(operations)).not.toContain('inviteStaff');
  expect(Object.keys(operations)).toContain('createUser');
});
