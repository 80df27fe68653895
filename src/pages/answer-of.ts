/** What an operation answers, for the views that draw it. */
import type { z } from 'zod';
import type { Operation } from '../http/operation.ts';

// biome-ignore lint/suspicious/noExplicitAny: an operation of any other types.
export type AnswerOf<O> = O extends Operation<any, any, any, infer R> ? z.output<R> : never;
