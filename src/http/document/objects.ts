/** The parts of an OpenAPI document that are worked on here, as JSON has them. */

export type JsonObject = Record<string, unknown>;

export interface MediaObject {
  schema: JsonObject;
  example?: unknown;
  examples?: Record<string, JsonObject>;
}

export interface ResponseObject {
  $ref?: string;
  description?: string;
  headers?: Record<string, JsonObject>;
  content?: Record<string, MediaObject>;
}

export interface OperationObject {
  operationId: string;
  parameters?: JsonObject[] | undefined;
  requestBody?: { required?: boolean; content: Record<string, MediaObject> };
  responses: Record<string, ResponseObject>;
}

export interface Components {
  schemas: Record<string, JsonObject>;
  parameters: Record<string, JsonObject>;
  headers: Record<string, JsonObject>;
  responses: Record<string, ResponseObject>;
  examples: Record<string, JsonObject>;
}
