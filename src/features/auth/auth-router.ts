import type { Router } from 'express';
import type { Mount, MountOpen } from '../../http/mount.ts';
import { exchangeToken, refreshTokens, revokeAllTokens, revokeToken, validateToken } from './auth-operations.ts';
import type { ExchangeService } from './exchange-service.ts';
import type { TokensService } from './tokens-service.ts';

export function mountAuth(
  router: Router,
  { mount, mountOpen }: { mount: Mount; mountOpen: MountOpen },
  { exchange, tokens }: { exchange: ExchangeService; tokens: TokensService },
): void {
  mountOpen(router, exchangeToken, ({ body, tenantHeader, ranIn }) =>
    exchange.exchange({ ...body, tenant: tenantHeader, ranIn }),
  );
  mount(router, refreshTokens, ({ body, ...context }) => tokens.refresh(context, body.refreshToken));
  mount(router, validateToken, ({ body, ...context }) => tokens.validate(context, body.token));
  mount(router, revokeToken, ({ body, ...context }) => tokens.revoke(context, body.token));
  mount(router, revokeAllTokens, ({ body, ...context }) => tokens.revokeAll(context, body.userId));
}
