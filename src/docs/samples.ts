/** An operation called by curl and by the client library, with what its example was asked. */
import type { JsonObject } from '../http/document/objects.ts';
import type { Described, Parameter } from './document.ts';

const ID = '0197f2a0-0000-7000-8000-000000000001';

function exampleOf({ name, schema }: Parameter): unknown {
  if ('example' in schema) return schema['example'];
  if (/id$/i.test(name)) return ID;
  if (Array.isArray(schema['enum'])) return (schema['enum'] as unknown[])[0];
  return { period: '2026-01', year: 2026, limit: 25, 'X-Tenant-ID': ID }[name] ?? name;
}

const inPlace = ({ parameters }: Described, place: Parameter['in']): Parameter[] =>
  parameters.filter((parameter) => parameter.in === place && (place === 'path' || parameter.required === true));

export function curlOf(operation: Described): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
    return encodeURIComponent(String(parameter ? exampleOf(parameter) : name));
  });
  const query = inPlace(operation, 'query').map((one) => `${one.name}=${encodeURIComponent(String(exampleOf(one)))}`);
  const address = `$API${path.replace('/api/v1', '')}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const lines = [
    `curl -s${operation.method === 'GET' ? '' : ` -X ${operation.method}`} "${address}"`,
    ...(operation.calledBy === undefined ? [`-H "x-tenant-api-key: $KEY"`] : []),
    ...inPlace(operation, 'header').map((one) => `-H "${one.name}: …"`),
    ...(operation.body ? [`-H 'content-type: ${operation.body.type}'`, `-d '${textOf(operation.body.example)}'`] : []),
  ];
  return lines.join(' \\\n  ');
}

/** Undefined of what the library has not: operations of people and of vendors. */
export function typescriptOf(operation: Described): string | undefined {
  if (operation.calledBy !== undefined) return undefined;
  const places = ['path', 'query', 'header'] as const;
  const named = places.flatMap((place) => inPlace(operation, place)).map((one) => [one.name, exampleOf(one)] as const);
  const example = operation.body?.example;
  const body = operation.body && operation.body.type !== 'application/json' ? { body: example } : ((example ?? {}) as JsonObject);
  const input = { ...Object.fromEntries(named), ...body };
  return `const answer = await api.${operation.operationId}(${Object.keys(input).length === 0 ? '' : objectText(input)});`;
}

function textOf(example: unknown): string {
  const text = typeof example === 'string' ? example : JSON.stringify(example ?? {});
  return text.replaceAll("'", "'\\''");
}

/** As a person writes it: names without quotes, text in single ones. */
function objectText(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.map((item) => objectText(item, indent)).join(', ')}]`;
  const entries = Object.entries(value).map(
    ([name, part]) => `${/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`}: ${objectText(part, inner)}`,
  );
  const line = `{ ${entries.join(', ')} }`;
  if (entries.length === 0) return '{}';
  return line.length + indent.length <= 76 && !line.includes('\n')
    ? line
    : `{\n${inner}${entries.join(`,\n${inner}`)},\n${indent}}`;
}
