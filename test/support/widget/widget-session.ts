/** Sessions of the widget, as a tenant's backend begins them and as the frame reads with them. */
import type { Response } from 'supertest';
import type { ApiClient } from '../app/api-client.ts';
import { expectRefusal } from '../app/model-refusal.ts';
import type { TestApp } from '../app/test-app.ts';

export const TOKENS = '/api/v1/widget/tokens';
export const ORIGIN = 'https://shop.example';

export interface GivenToken {
  widgetToken: string;
  expiresAt: string;
  sessionId: string;
  embedUrl: string;
}

/** Throws unless it began. */
export async function beginWidget(client: ApiClient, userId: string, fields: object = {}): Promise<GivenToken> {
  const answer = await client.post(TOKENS, { userId, allowedOrigins: [ORIGIN], ...fields });
  if (answer.status !== 201) throw new Error(`no session of the widget: ${answer.status} ${answer.text}`);
  return answer.body as GivenToken;
}

export interface Frame {
  get(path: string): Promise<Response>;
  post(path: string, body: unknown): Promise<Response>;
}

/** What the frame asks with a token; paths begin behind `/widget`. */
export function frameWith({ http }: Pick<TestApp, 'http'>, token: string | undefined): Frame {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return {
    get: async (path) => http.get(`/widget${path}`).set(headers),
    post: async (path, body) =>
      http
        .post(`/widget${path}`)
        .set({ ...headers, 'content-type': 'application/json' })
        .send(JSON.stringify(body)),
  };
}

/** Waits until the token opens nothing any more, for a second at most. */
export async function expectEndedSoon(app: TestApp, token: string): Promise<void> {
  const until = performance.now() + 1000;
  let answer = await frameWith(app, token).get('/session');
  while (answer.status !== 401 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    answer = await frameWith(app, token).get('/session');
  }
  expectRefusal(answer, 401, 'INVALID_TOKEN');
}
