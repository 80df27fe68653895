/** Client library of the Member Commission and Referral Service. */
export {
  type Answer,
  ApiError,
  type CallOptions,
  type Client,
  type ClientOptions,
  ConnectionError,
  createClient,
  type ListOperation,
  type Operation,
} from './client.ts';
export type { ErrorCode, FieldError } from './errors.ts';
export { amount, digitsOf, exact, minor } from './money.ts';
export type { EventType, Input, ItemOf, ListName, OperationName, Result, Schemas, WebhookEvent } from './types.ts';
export * as webhooks from './webhooks.ts';
export type { Mount, MountOptions, WidgetAttributes, WidgetErrorCode, WidgetTheme } from './widget.ts';
