/**
 * Takes examples from the calls that tests made: `HARVEST_EXCHANGES=calls.ndjson npx vitest run`, then
 * `node tools/harvest-examples.ts calls.ndjson`. For each error code the shortest refusal of an operation that can answer
 * it, and for each success that test/contract/exchanges.test.ts does not make the shortest answer, go to the
 * `examples.json` of the operation's feature. What is there already stays.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { house } from '../src/features.ts';
import { errorsOf } from '../src/house/house.ts';
import { errorCodesOf } from '../src/http/document/error-answers.ts';
import type { ExampleError } from '../src/http/document/examples.ts';
import type { Operation } from '../src/http/operation.ts';
import { type ExamplesOfFeature, readExamples, writeExamples } from '../test/support/exchanges/examples-file.ts';
import { scrub } from '../test/support/exchanges/scrub.ts';
import { openService } from './read-document.ts';

interface Call {
  method: string;
  target: string;
  sent?: unknown;
  status: number;
  answer?: unknown;
}

interface Placed {
  feature: string;
  operation: Operation;
  pattern: RegExp;
  names: string[];
}

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('name the file of the calls');

const placed = await openService(({ features }) =>
  features
    .flatMap(({ feature, operations }) => operations.map((operation) => ({ feature, operation })))
    .map(({ feature, operation }): Placed => {
      const names = Array.from(operation.path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
      return {
        feature,
        operation,
        names,
        pattern: new RegExp(`^${operation.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '([^/]+)')}$`),
      };
    })
    // A path without parameters is more than one that has some.
    .toSorted((a, b) => a.names.length - b.names.length),
);
const errors = errorsOf(house);
const files = new Map<string, ExamplesOfFeature>(placed.map(({ feature }) => [feature, readExamples(feature)]));
const known = new Set(
  [...files.values()].flatMap((one) => Object.values(one).flatMap(({ refusals = {} }) => Object.keys(refusals))),
);

/** The shortest of each code, and of each success that is missing. */
const shortest = new Map<string, { place: Placed; call: Call; length: number }>();

function consider(key: string, place: Placed, call: Call, length: number): void {
  const best = shortest.get(key);
  if (!best || length < best.length) shortest.set(key, { place, call, length });
}

for await (const line of createInterface({ input: createReadStream(file) })) {
  const call = JSON.parse(line) as Call;
  const { pathname } = new URL(call.target, 'http://service');
  const place = placed.find(({ operation, pattern }) => operation.method.toUpperCase() === call.method && pattern.test(pathname));
  if (!place) continue;
  const { operation, feature } = place;
  const code = call.status >= 400 ? (call.answer as ExampleError | undefined)?.code : undefined;
  if (code !== undefined && !known.has(code) && errorCodesOf(operation, errors).includes(code)) {
    // A refusal says more than its code where it names a field or gives details.
    const says = (call.answer as ExampleError).details === undefined && code === 'VALIDATION_ERROR' ? 1_000 : 0;
    consider(code, place, call, says + JSON.stringify(call.answer).length);
  }
  const isSuccess = operation.success.some(({ status }) => status === call.status);
  const has = files.get(feature)?.[operation.operationId]?.answers?.[String(call.status)] !== undefined;
  if (isSuccess && !has) consider(`${operation.operationId} ${call.status}`, place, call, line.length);
}

for (const [key, { place, call }] of shortest) {
  const { feature, operation, pattern, names } = place;
  const { pathname, searchParams } = new URL(call.target, 'http://service');
  const values = (pattern.exec(pathname) ?? []).slice(1);
  const { request, answer } = scrub({
    request: {
      ...(names.length > 0 && { params: Object.fromEntries(names.map((name, index) => [name, values[index]])) }),
      ...(searchParams.size > 0 && { query: Object.fromEntries(searchParams) }),
      ...(call.sent !== undefined && { body: call.sent }),
    },
    answer: call.answer,
  });
  const of = files.get(feature) ?? {};
  const before = of[operation.operationId] ?? {};
  of[operation.operationId] =
    call.status >= 400
      ? { ...before, refusals: { ...before.refusals, [key]: answer as ExampleError } }
      : { ...before, request: before.request ?? request, answers: { ...before.answers, [String(call.status)]: answer ?? null } };
}
for (const [feature, examples] of files) if (Object.keys(examples).length > 0) writeExamples(feature, examples);
process.stdout.write(`${shortest.size} examples\n`);
