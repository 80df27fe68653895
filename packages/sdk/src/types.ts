/** Types of calls, made of those of the document. */
import type { operations as called } from './operations.ts';
import type { components, operations, webhooks } from './schema.ts';

export type OperationName = keyof typeof called & keyof operations;

/** Operations that answer with pages. */
export type ListName = {
  [Name in OperationName]: (typeof called)[Name] extends { next: string } ? Name : never;
}[OperationName];

type Fields<Part> = [Part] extends [never] ? unknown : Part extends object ? Part : unknown;
type ParametersOf<Name extends OperationName> = operations[Name]['parameters'];
type HeadersOf<Name extends OperationName> =
  ParametersOf<Name> extends { header?: infer Header }
    ? [Exclude<Header, undefined>] extends [never]
      ? unknown
      : Omit<Exclude<Header, undefined>, 'Idempotency-Key'>
    : unknown;
type In<Name extends OperationName, Place extends 'path' | 'query'> =
  ParametersOf<Name> extends { [P in Place]?: infer Part } ? Fields<Exclude<Part, undefined>> : unknown;
type BodyOf<Name extends OperationName> = operations[Name] extends { requestBody?: infer Body }
  ? [Exclude<Body, undefined>] extends [never]
    ? unknown
    : Exclude<Body, undefined> extends { content: infer Content }
      ? Content extends { 'application/json': infer Json }
        ? Json
        : { /** The text of the file. */ body: string }
      : unknown
  : unknown;

/** What a call takes: the parameters of path and query and the fields of the body, in one object. */
export type Input<Name extends OperationName> = In<Name, 'path'> & In<Name, 'query'> & HeadersOf<Name> & BodyOf<Name>;

type Success = 200 | 201 | 202 | 207;
type ContentOf<Responses> = {
  [Status in keyof Responses & Success]: Responses[Status] extends { content: infer Content }
    ? Content extends { 'application/json': infer Json }
      ? Json
      : Content extends { 'application/pdf': unknown }
        ? ArrayBuffer
        : string
    : never;
}[keyof Responses & Success];

/** What a call answers. */
export type Result<Name extends OperationName> = ContentOf<operations[Name]['responses']>;

/** An item of a list. */
export type ItemOf<Name extends ListName> = Result<Name> extends { data: (infer Item)[] } ? Item : never;

/** The named objects of the API: `Schemas['Member']`. */
export type Schemas = components['schemas'];

/** The type of an event, as `member.created`. */
export type EventType = keyof webhooks;

/** An event as it is sent to a tenant; `event.type` tells what `event.data` is. */
export type WebhookEvent = {
  [Type in EventType]: webhooks[Type]['post'] extends { requestBody: { content: { 'application/json': infer Body } } }
    ? Body & { type: Type }
    : never;
}[EventType];
