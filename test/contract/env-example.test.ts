import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderEnvExample } from '../../src/env-example.ts';
import { house } from '../../src/features.ts';
import { envOf } from '../../src/house/house.ts';

test('.env.example is what the configuration schema says', () => {
  const file = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  expect(file, 'run: npm run -s cli -- config example > .env.example').toBe(renderEnvExample(envOf(house)));
});
