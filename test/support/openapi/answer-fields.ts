/** The names of an answer's fields, by its schema, with dots between them. */
import { z } from 'zod';
import type { Operation } from '../../../src/http/operation.ts';

export function answerFields({ response }: Operation): string[] {
  const whole = z.toJSONSchema(response, { io: 'input', unrepresentable: 'any' });
  const walk = (schema: unknown, at: string, within: readonly unknown[] = []): string[] => {
    // A tree stands within itself.
    if (typeof schema !== 'object' || schema === null || within.includes(schema)) return [];
    const inner = [...within, schema];
    const { $ref, properties, items, anyOf, oneOf, allOf } = schema as Record<string, unknown>;
    const referred = whole.$defs?.[String($ref).split('/').at(-1) ?? ''];
    const parts = [...((anyOf ?? oneOf ?? allOf ?? []) as unknown[]), items, referred].filter(Boolean);
    const own = Object.entries(properties ?? {}).flatMap(([name, part]) => walk(part, at === '' ? name : `${at}.${name}`, inner));
    return [at, ...own, ...parts.flatMap((part) => walk(part, at, inner))];
  };
  return [...new Set(walk(whole, ''))].filter((field) => field !== '');
}
