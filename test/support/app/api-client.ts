/** Shorthand for what most tests do over HTTP: call with a key, make a member, record a purchase. */
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import type { TestApp } from './test-app.ts';

export interface MemberBody {
  id: string;
  email: string;
  referral_code: string;
  membership_tier: string;
  parent_id: string | null;
}

export interface ApiClient {
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body: object, headers?: Record<string, string>): Promise<Response>;
  put(path: string, body: object, headers?: Record<string, string>): Promise<Response>;
  patch(path: string, body: object, headers?: Record<string, string>): Promise<Response>;
  delete(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Creates a member with a fresh email; throws unless the answer is 201. */
  newMember(fields?: object): Promise<MemberBody>;
  /** A valid purchase body with a fresh external_event_id, of a customer of its own: who bought before may be credited to somebody. */
  purchaseBody(fields?: object): Record<string, unknown>;
}

export function apiClient(app: TestApp, key: string): ApiClient {
  const client: ApiClient = {
    get: async (path, headers = {}) => app.http.get(path).set('x-tenant-api-key', key).set(headers),
    post: async (path, body, headers = {}) => app.http.post(path).set('x-tenant-api-key', key).set(headers).send(body),
    put: async (path, body, headers = {}) => app.http.put(path).set('x-tenant-api-key', key).set(headers).send(body),
    patch: async (path, body, headers = {}) => app.http.patch(path).set('x-tenant-api-key', key).set(headers).send(body),
    delete: async (path, headers = {}) => app.http.delete(path).set('x-tenant-api-key', key).set(headers),
    async newMember(fields = {}) {
      const answer = await client.post('/api/v1/users', { email: `${randomUUID()}@test.example`, ...fields });
      if (answer.status !== 201) throw new Error(`member not created: ${answer.status} ${answer.text}`);
      return answer.body as MemberBody;
    },
    purchaseBody: (fields: { external_event_id?: string } = {}) => {
      const id = fields.external_event_id ?? `order-${randomUUID()}`;
      return { external_event_id: id, amount_minor: 10_000, currency: 'USD', customer: { external_id: `by-${id}` }, ...fields };
    },
  };
  return client;
}
