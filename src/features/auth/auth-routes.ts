import type { CountAddress } from '../../http/rate-limit.ts';
import { openRoute, type Route, route } from '../../http/route.ts';
import { exchangeToken, refreshTokens, revokeAllTokens, revokeToken, validateToken } from './auth-operations.ts';
import type { ExchangeService } from './exchange-service.ts';
import type { TokensService } from './tokens-service.ts';

interface Parts {
  exchange: ExchangeService;
  tokens: TokensService;
  /** Counts an exchange of a token that is good for nothing. */
  countRefusal: CountAddress;
}

export function authRoutes({ exchange, tokens, countRefusal }: Parts): Route[] {
  return [
    openRoute(
      exchangeToken,
      ({ body, tenantHeader, requestId, ip, ranIn }) =>
        exchange.exchange({ ...body, tenant: tenantHeader, requestId, ip, ranIn }),
      countRefusal,
    ),
    route(refreshTokens, ({ body, ...context }) => tokens.refresh(context, body.refreshToken)),
    route(validateToken, ({ body, ...context }) => tokens.validate(context, body.token)),
    route(revokeToken, ({ body, ...context }) => tokens.revoke(context, body.token)),
    route(revokeAllTokens, ({ body, ...context }) => tokens.revokeAll(context, body.userId)),
  ];
}
