/** Neither the document nor its pages are made before somebody asks, and both once. */
import express from 'express';
import request from 'supertest';
import { expect, test } from 'vitest';
import { mountDocs } from '../../src/docs/docs-router.ts';
import { readDocument } from '../../tools/read-document.ts';

test('the document is made for the first page that is asked for, and for no other', async () => {
  const document = JSON.parse(await readDocument()) as Record<string, unknown>;
  let made = 0;
  const router = express.Router();
  mountDocs(router, {
    document() {
      made += 1;
      return document;
    },
    errors: {},
    home: '/docs',
  });
  const app = express().use(router);
  await request(app).get('/').expect(302);
  expect(made).toBe(0);
  await Promise.all([request(app).get('/docs').expect(200), request(app).get('/llms.txt').expect(200)]);
  expect(made).toBe(1);
});
