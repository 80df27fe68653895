/**
 * Moves into `components` what several operations share, and what a client's author wants a name for: parameters that
 * are the same, bodies, answers, lists, and larger objects that stand in several places. The generators of clients name
 * types after components; what has no name there gets one made of the way to it.
 */
import { answerNamesOf, bodyNamesOf, nounOf, waitingNamesOf } from './names.ts';
import type { Components, JsonObject, OperationObject } from './objects.ts';

const REF = '#/components/';

export interface Draft {
  paths: Record<string, Record<string, OperationObject>>;
  components: Components;
  webhooks?: JsonObject;
}

export function shareParts(document: Draft): void {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  for (const operation of operations) nameBody(operation, document.components);
  for (const operation of operations) nameAnswers(operation, document.components);
  shareParameters(operations, document.components);
}

function nameBody({ operationId, requestBody }: OperationObject, components: Components): void {
  const media = requestBody?.content['application/json'];
  if (media && isInline(media.schema)) media.schema = place(components, bodyNamesOf(operationId), media.schema);
}

function nameAnswers({ operationId, responses }: OperationObject, components: Components): void {
  for (const response of Object.values(responses)) {
    const media = response.content?.['application/json'];
    if (!media || !isInline(media.schema)) continue;
    const names = isWaiting(media.schema) ? waitingNamesOf(operationId) : answerNamesOf(operationId, itemOf(media.schema));
    media.schema = place(components, names, media.schema);
  }
}

/** Answers that a change waits for a second pair of hands are alike. */
const isWaiting = ({ properties = {} }: JsonObject): boolean =>
  'pendingChange' in (properties as JsonObject) || 'pending_change' in (properties as JsonObject);

const isInline = (schema: JsonObject): boolean => schema['$ref'] === undefined && schema['type'] !== 'string';

/** The name of a list's items. */
function itemOf(schema: JsonObject): string | undefined {
  const properties = schema['properties'] as Record<string, JsonObject> | undefined;
  const items = properties?.['data']?.['items'] as JsonObject | undefined;
  const ref = items?.['$ref'];
  const paged =
    properties !== undefined && ('hasMore' in properties || 'has_more' in properties || Object.keys(properties).length <= 2);
  return typeof ref === 'string' && paged ? ref.slice(ref.lastIndexOf('/') + 1) : undefined;
}

/** Puts the schema there under the first name that is free, or that it has there already. */
function place(components: Components, names: readonly string[], schema: JsonObject): JsonObject {
  const text = JSON.stringify(schema);
  for (const name of names) {
    const there = components.schemas[name];
    if (there === undefined) components.schemas[name] = schema;
    if (there === undefined || JSON.stringify(there) === text) return { $ref: `${REF}schemas/${name}` };
  }
  throw new Error(`all of these names are taken: ${names.join(', ')}`);
}

/** Those that stand in two operations at least, under their own name or, where that has two meanings, with what they say. */
function shareParameters(operations: readonly OperationObject[], components: Components): void {
  const counts = new Map<string, number>();
  for (const { parameters = [] } of operations) {
    for (const parameter of parameters) {
      const text = JSON.stringify(parameter);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const operation of operations) {
    operation.parameters = operation.parameters?.map((parameter) => {
      const text = JSON.stringify(parameter);
      if ((counts.get(text) ?? 0) < 2) return parameter;
      const name = names.get(text) ?? freeName(String(parameter['name']), operation.operationId, taken);
      names.set(text, name);
      taken.add(name);
      components.parameters[name] = parameter;
      return { $ref: `${REF}parameters/${name}` };
    });
  }
}

/** A name that has another meaning elsewhere is told apart by the first operation that has it: `currencyOfTrialBalance`. */
function freeName(name: string, operationId: string, taken: ReadonlySet<string>): string {
  const free = [name, `${name}Of${nounOf(operationId)}`, `${name}Of${operationId}`].find((one) => !taken.has(one));
  if (free === undefined) throw new Error(`another parameter is called ${name}`);
  return free;
}
