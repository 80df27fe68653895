import { camelCursor } from '../../../http/pagination.ts';
import { type Route, route } from '../../../http/route.ts';
import { accountBody } from './account-body.ts';
import {
  acceptAccountName,
  createPayoutAccount,
  deactivatePayoutAccount,
  getPayoutAccount,
  listPayoutAccounts,
  updatePayoutAccount,
} from './payout-accounts-operations.ts';
import type { PayoutAccountsService, ShownAccount } from './payout-accounts-service.ts';

/** Of the inputs `details` and `accountHolderName`: since 2026-11-01, until a year later. Source: RFC 9745, RFC 8594. */
const DEPRECATED = { Deprecation: '@1793491200', Sunset: 'Mon, 01 Nov 2027 00:00:00 GMT' };

export function payoutAccountsRoutes(accounts: PayoutAccountsService): Route[] {
  const body = (account: ShownAccount) => ({ status: 200, body: accountBody(account) });
  return [
    route(
      createPayoutAccount,
      ({ params, body: input, ...context }) => accounts.createAccount(context, params.userId, input),
      ({ account, deprecated }) => ({
        status: 201,
        body: accountBody(account),
        headers: {
          Location: `/api/v1/members/${account.memberId}/payout-accounts/${account.id}`,
          ...(deprecated ? DEPRECATED : {}),
        },
      }),
    ),
    route(
      listPayoutAccounts,
      ({ params, query, ...context }) => accounts.listAccounts(context, params.userId, query),
      ({ rows, nextCursor }) => ({
        status: 200,
        body: { accounts: rows.map(accountBody), ...camelCursor(nextCursor) },
      }),
    ),
    route(getPayoutAccount, ({ params, ...context }) => accounts.readAccount(context, params.userId, params.accountId), body),
    route(
      updatePayoutAccount,
      ({ params, body: patch, ...context }) => accounts.updateAccount(context, params.userId, params.accountId, patch),
      body,
    ),
    route(acceptAccountName, ({ params, ...context }) => accounts.acceptName(context, params.userId, params.accountId), body),
    route(
      deactivatePayoutAccount,
      ({ params, ...context }) => accounts.deactivateAccount(context, params.userId, params.accountId),
      body,
    ),
  ];
}
