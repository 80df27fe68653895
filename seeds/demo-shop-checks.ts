/** Reads back what the service made of the shop's history and compares it with what the shop sent. */

import type { BreakdownAnswer, MemberAnswer, ReceiptAnswer, StatusAnswer } from './demo-shop-answers.ts';
import { forEachBounded, type ShopApi } from './demo-shop-api.ts';
import { finalStates } from './demo-shop-generate.ts';
import { CURRENCIES, type Currency, type Shop } from './demo-shop-model.ts';
import type { Progress } from './demo-shop-progress.ts';
import type { Problem, ShopRun } from './demo-shop-run.ts';
import { formatMoney, toMinor } from './demo-shop-text.ts';

const CONCURRENCY = 8;
const PAGE = 100;

/** Every member of the tenant by id, page by page. */
export async function readMembers(api: ShopApi): Promise<Map<string, MemberAnswer>> {
  const members = new Map<string, MemberAnswer>();
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: { data: MemberAnswer[]; next_cursor: string | null } = await api.get(
      `/api/v1/users?limit=${PAGE}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    for (const member of page.data) members.set(member.id, member);
    cursor = page.next_cursor;
  }
  return members;
}

/** Each member must stand under its sponsor with the tier and activity the history ends with. */
export function checkMembers(shop: Shop, run: ShopRun, listed: ReadonlyMap<string, MemberAnswer>): Problem[] {
  const states = finalStates(shop);
  return shop.members.flatMap(({ email, sponsor }, position) => {
    const found = listed.get(run.members[position]?.id ?? '');
    if (!found) return [`${email} is not in the list of members`];
    const parent = sponsor === undefined ? null : run.members[sponsor]?.id;
    const state = states[position];
    return [
      ...(found.parent_id === parent ? [] : [`${email} is not under its sponsor`]),
      ...(found.membership_tier === state?.tier ? [] : [`${email} is ${found.membership_tier}, not ${state?.tier}`]),
      ...(found.is_active === state?.isActive ? [] : [`${email} has the wrong activity`]),
    ];
  });
}

/** What each member earned by the receipts, by currency. */
export function sumReceipts(receipts: readonly ReceiptAnswer[]): Map<string, Record<Currency, number>> {
  const sums = new Map<string, Record<Currency, number>>();
  for (const { user_id, currency, amount_minor } of receipts.flatMap(({ commissions }) => commissions)) {
    const sum = sums.get(user_id) ?? { USD: 0, EUR: 0 };
    sum[currency] += amount_minor;
    sums.set(user_id, sum);
  }
  return sums;
}

/** Reads the balance of every member of the shop and compares it with the receipts. */
export async function checkBalances(
  api: ShopApi,
  run: ShopRun,
  progress: Progress,
): Promise<{ problems: Problem[]; balances: Map<string, StatusAnswer> }> {
  const expected = sumReceipts(run.receipts);
  const balances = new Map<string, StatusAnswer>();
  const problems: Problem[] = [];
  await forEachBounded(run.members, CONCURRENCY, async ({ id, email }) => {
    const status = await api.get<StatusAnswer>(`/api/v1/users/status?user_id=${id}`);
    progress.tick();
    balances.set(id, status);
    const wanted = expected.get(id)?.[status.currency] ?? 0;
    const total = toMinor(status.commission_balance.total);
    if (total !== wanted)
      problems.push(
        `${email} has ${formatMoney(total, status.currency)}; the receipts say ${formatMoney(wanted, status.currency)}`,
      );
  });
  return { problems, balances };
}

/** A member's breakdowns, one a currency, compared with the receipts. */
export async function checkBreakdowns(
  api: ShopApi,
  run: ShopRun,
  memberId: string,
): Promise<{ problems: Problem[]; breakdowns: BreakdownAnswer[] }> {
  const expected = sumReceipts(run.receipts).get(memberId);
  const breakdowns = await Promise.all(
    CURRENCIES.map((currency) =>
      api.get<BreakdownAnswer>(`/api/v1/members/${memberId}/commissions/breakdown?currency=${currency}`),
    ),
  );
  const problems = breakdowns.flatMap((breakdown) => {
    const { currency, totalAmount, bySource, byLevel, trend } = breakdown;
    const wanted = expected?.[currency] ?? 0;
    const sums = {
      total: toMinor(totalAmount),
      sources: toMinor(bySource.sales) + toMinor(bySource.subscription),
      levels: byLevel.reduce((sum, { amount }) => sum + toMinor(amount), 0),
      months: trend.reduce((sum, { amount }) => sum + toMinor(amount), 0),
    };
    return Object.entries(sums).flatMap(([name, sum]) =>
      sum === wanted
        ? []
        : [
            `the ${name} of the breakdown come to ${formatMoney(sum, currency)}; the receipts say ${formatMoney(wanted, currency)}`,
          ],
    );
  });
  return { problems, breakdowns };
}
