/** The guide on lists and case says of each section of the reference what its fields are called. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readDocumentParts } from '../../src/docs/document.ts';
import { fieldsOf } from '../../src/docs/fields.ts';
import type { JsonObject } from '../../src/http/document/objects.ts';
import { readDocument } from '../../tools/read-document.ts';

test('the sections in snake_case are those that it names', async () => {
  const document = readDocumentParts(JSON.parse(await readDocument()) as JsonObject);
  const snake = document.groups.filter(({ name }) => {
    const lists = document.operations.filter(({ group, operationId }) => group === name && operationId.startsWith('list'));
    return lists.some(({ answers }) =>
      answers.some(({ media }) => media && fieldsOf(media.schema, document).some((field) => field.name === 'next_cursor')),
    );
  });
  const text = readFileSync('docs/guides/lists-and-case.md', 'utf8');
  const [, named = ''] = /^\| (.+) \| snake_case \|$/m.exec(text) ?? [];
  expect(named.split(', ').toSorted()).toEqual(snake.map(({ name }) => name).toSorted());
});
