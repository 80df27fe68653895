/** docs/scopes.md, made from the operations: `npx vitest run test/contract/scopes-page.test.ts -u`. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PRESETS, scopesOfPreset } from '../../src/features/tenants/key-presets.ts';
import { house } from '../../src/features.ts';
import { scopesOf } from '../../src/house/house.ts';
import type { Operation } from '../../src/http/operation.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';

/** From docs/scopes.md. */
const RULES = ['specification', 'identity'].join('/').concat('.md');

const PEOPLE = ['specification', 'people'].join('/').concat('.md');

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const row = (...cells: string[]): string => `| ${cells.join(' | ')} |\n`;
const head = (...cells: string[]): string => row(...cells) + row(...cells.map(() => '---'));

function scopeRows(operations: readonly Operation[]): string {
  const meanings = Object.assign({}, ...house.features.map(({ scopes = {} }) => scopes)) as Record<string, string>;
  const all = scopesOf(house);
  return all
    .map((scope) => {
      const ids = operations.filter((one) => one.scope === scope).map(({ operationId }) => `\`${operationId}\``);
      const marks = PRESETS.map((preset) => {
        const held = scopesOfPreset(preset, all);
        return held.includes(scope) || held.includes('*') ? 'yes' : '';
      });
      return row(`\`${scope}\``, meanings[scope] ?? '', ...marks, ids.join(', '));
    })
    .join('');
}

function peopleRows(operations: readonly Operation[]): string {
  return house.features
    .flatMap(({ peopleScopes = {} }) => Object.entries(peopleScopes))
    .map(([scope, meaning]) => {
      const ids = operations
        .filter((one) => one.scope === scope || one.narrower?.scope === scope)
        .map(({ operationId, narrower }) => `\`${operationId}\`${narrower?.scope === scope ? `: ${narrower.what}` : ''}`);
      return row(`\`${scope}\``, meaning, ids.join(', '));
    })
    .join('');
}

function effectRows(operations: readonly Operation[]): string {
  const scopeOf = new Map(operations.map(({ operationId, scope }) => [operationId, scope]));
  return operations
    .flatMap(({ operationId, scope, effects = [] }) =>
      effects.map((effect) =>
        row(`\`${operationId}\``, `\`${scope}\``, `\`${scopeOf.get(effect.operationId)}\``, effect.when || 'always'),
      ),
    )
    .join('');
}

function revealRows(operations: readonly Operation[]): string {
  return operations
    .flatMap(({ operationId, scope, reveals = [] }) =>
      reveals.map((one) => row(`\`${operationId}\``, `\`${scope}\``, one.what, `\`${one.scope}\``)),
    )
    .join('');
}

test('docs/scopes.md tells what each scope allows, as the operations say', async () => {
  const { operations } = app.composition.app;
  const open = operations.filter(({ scope }) => scope === 'none').map(({ operationId }) => `\`${operationId}\``);
  const any = operations.filter(({ scope }) => scope === 'any').map(({ operationId }) => `\`${operationId}\``);
  const text = `# Scopes of API keys

Made from the operations by \`npx vitest run test/contract/scopes-page.test.ts -u\`; the rules are in
[identity](${RULES}#scopes). Each operation needs one scope. A key with \`*\` has them all, also those that
are added later. The columns of the presets say what a key is made with by \`preset\`.

${head('Scope', 'Why a key has it', ...PRESETS, 'Operations')}${scopeRows(operations)}
Without a key: ${open.join(', ')}. By any key, for objects that each need a scope of their own: ${any.join(', ')}.

## Effects by another way
A right is asked for by the effect: these operations do what others do, and need the scope of those too.

${head('Operation', 'Needs', 'And', 'When')}${effectRows(operations)}
## What a scope lets a key see
These operations are open without the scope, and show what is named with it alone.

${head('Operation', 'Needs', 'Shows', 'With')}${revealRows(operations)}
## Scopes of people alone
No key is given them, and \`*\` does not stand for them. [Roles](${PEOPLE}#roles) have them.

${head('Scope', 'Why a role has it', 'Operations')}${peopleRows(operations)}`;
  await expect(text).toMatchFileSnapshot('../../docs/scopes.md');
});
