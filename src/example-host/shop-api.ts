/**
 * What the example shop's server asks of the service, over HTTP as any tenant's backend does. The key stays in here:
 * neither an answer nor a thrown error holds it. Source: docs/widget.md#server.
 */

export interface ShopMember {
  id: string;
  name: string;
}

/** What is handed on to the browser. */
export interface ShopAnswer {
  status: number;
  body: Record<string, unknown>;
}

export interface ShopApi {
  /** The oldest of the active members, who stand at the top of the team. Undefined where the service does not answer. */
  listMembers(): Promise<ShopMember[] | undefined>;
  /** Begins a session of the widget for a member. */
  begin(userId: string, origin: string): Promise<ShopAnswer>;
  /** Another token of a session, which must be the member's. */
  refresh(userId: string, sessionId: string): Promise<ShopAnswer>;
  /** Ends a session, as at sign-out. */
  end(sessionId: string): Promise<void>;
}

const MOST_MEMBERS = 8;
const WAIT_MS = 10_000;
/** A green that cannot be read on a dark ground as it is: the service makes it lighter there. */
const THEME = { accent: '#2f6b3a', corner: 10 };
const HANDED_ON = ['widgetToken', 'expiresAt', 'sessionId', 'embedUrl', 'code', 'error'];

/** `baseUrl` is where the service answers on this machine. */
export function createShopApi(baseUrl: string, apiKey: string): ShopApi {
  async function call(method: string, path: string, body?: object): Promise<ShopAnswer> {
    try {
      const answer = await fetch(`${baseUrl}/api/v1${path}`, {
        method,
        headers: { 'x-tenant-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(WAIT_MS),
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    } catch {
      return { status: 502, body: { code: 'SERVICE_UNAVAILABLE', error: 'The service does not answer' } };
    }
  }

  async function askToken(path: string, body: object): Promise<ShopAnswer> {
    const answer = await call('POST', path, body);
    return {
      status: answer.status,
      body: Object.fromEntries(Object.entries(answer.body).filter(([name]) => HANDED_ON.includes(name))),
    };
  }

  return {
    async listMembers() {
      const { status, body } = await call('GET', `/users?is_active=true&limit=${MOST_MEMBERS}`);
      if (status !== 200) return undefined;
      const { data } = body as { data: { id: string; name: string | null; email: string }[] };
      return data.map(({ id, name, email }) => ({ id, name: name ?? email }));
    },
    begin: (userId, origin) => askToken('/widget/tokens', { userId, allowedOrigins: [origin], theme: THEME }),
    refresh: (userId, sessionId) => askToken('/widget/tokens/refresh', { sessionId, userId }),
    async end(sessionId) {
      await call('DELETE', `/widget/tokens/${encodeURIComponent(sessionId)}`);
    },
  };
}
