/** The payout accounts of a tenant, for its people. Source: docs/specification/payouts.md#all-accounts. */
import type { z } from 'zod';
import type { Frames } from '../../../db/frame.ts';
import type { CallContext } from '../../../http/operation.ts';
import { type Cursors, camelList, type Page } from '../../../http/pagination.ts';
import { type Route, route } from '../../../http/route.ts';
import type { NameJudge } from '../names/judge-names.ts';
import { accountBody } from './account-body.ts';
import { listAllPayoutAccounts } from './all-accounts-operations.ts';
import { listAllAccounts } from './all-accounts-queries.ts';
import { type ShownAccount, shownTo } from './payout-accounts-service.ts';

type List = z.output<(typeof listAllPayoutAccounts)['query'] & {}>;

type ShownAccountOfMember = ShownAccount & { onHold: boolean };

interface Deps {
  frames: Frames;
  cursors: Cursors;
  names: Pick<NameJudge, 'previewAccounts'>;
}

export function allAccountsRoutes({ frames, cursors, names }: Deps): Route[] {
  async function list({ scope }: CallContext, { limit, cursor, ...filters }: List): Promise<Page<ShownAccountOfMember>> {
    const identity = { scope, operationId: 'listAllPayoutAccounts', filters };
    const beforeId = cursors.open(cursor, identity);
    const [rows, previews] = await frames.read(scope, async (db) => {
      const accounts = await listAllAccounts(db, scope, filters, beforeId, limit + 1);
      const unjudged = accounts.filter(({ nameVerdict }) => nameVerdict === 'unjudged').map(({ id }) => id);
      return [accounts, unjudged.length === 0 ? undefined : await names.previewAccounts(db, scope, unjudged)] as const;
    });
    return cursors.page(
      rows.map(({ onHold, ...row }) => ({ ...shownTo(scope, row, previews), onHold })),
      limit,
      identity,
      ({ id }) => id,
    );
  }

  return [
    route(
      listAllPayoutAccounts,
      ({ query, ...context }) => list(context, query),
      camelList(({ onHold, ...account }) => ({ userId: account.memberId, onHold, ...accountBody(account) })),
    ),
  ];
}
