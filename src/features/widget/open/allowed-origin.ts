/** Where a widget may stand: origins, as browsers write them. Source: docs/specification/widget.md#origins. */
import type { Environment } from '../../../db/scope.ts';

/** Nothing that a policy's syntax has a use for: a host is letters, digits, hyphens and dots. */
const HOST = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;
const ORIGIN = /^https:\/\/[^\s/?#@\\*]+$/i;
/** In SANDBOX alone, of a developer's own machine; `*` is any port. */
const LOCAL = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::(\*|\d{1,5}))?$/i;

/** The origin as browsers write it; undefined where there is none, or not in that environment. */
export function allowedOriginOf(text: string, environment: Environment): string | undefined {
  if (environment === 'SANDBOX') {
    const port = LOCAL.exec(text)?.[1];
    if (port === '*') return text.toLowerCase();
    if (LOCAL.test(text)) return URL.canParse(text) ? new URL(text).origin : undefined;
  }
  if (!ORIGIN.test(text) || !URL.canParse(text)) return undefined;
  const { origin, hostname } = new URL(text);
  return HOST.test(hostname) ? origin : undefined;
}
