/** What the shop sent and what came of it, in a few lines. */
import { CURRENCIES, type Shop } from './demo-shop-model.ts';
import type { ShopRun } from './demo-shop-run.ts';
import { columns, formatCount, formatMoney } from './demo-shop-text.ts';

export function summarise(shop: Shop, played: ShopRun, retries: number): string[] {
  const purchases = [...shop.purchases, shop.lastPurchase];
  const lines = played.receipts.flatMap(({ commissions }) => commissions);
  const paid = purchases.map(({ currency, amountMinor }) => ({ currency, amount: amountMinor }));
  const earned = lines.map(({ currency, amount_minor }) => ({ currency, amount: amount_minor }));
  const creditedBy = (rule: string): string =>
    count(played.receipts, ({ attribution, status }) => status === 'accepted' && attribution.rule === rule);
  const levels = new Set(shop.members.map(({ level }) => level)).size;
  const nobody = count(played.receipts, ({ status }) => status === 'unattributed');
  return columns(
    [
      ['members', formatCount(shop.members.length), `on ${levels} levels; ${played.repeated.members} created twice`],
      [
        'leads',
        formatCount(shop.leads.length),
        `${count(shop.leads, ({ referrer }) => referrer !== undefined)} with a referral code, ${count(shop.members, ({ fromLead }) => fromLead)} became members`,
      ],
      [
        'changes',
        formatCount(shop.changes.length),
        `${count(shop.changes, ({ set }) => 'membership_tier' in set)} promotions, the others lapses and renewals`,
      ],
      ['purchases', formatCount(purchases.length), `worth ${total(paid)}; ${played.repeated.purchases} sent twice`],
      ['', creditedBy('referral_code'), 'credited by referral code'],
      ['', creditedBy('explicit_user'), 'credited to a named member'],
      ['', creditedBy('personal_purchase'), 'bought by members, credited to their sponsors'],
      ['', nobody, 'credited to nobody'],
      ['commissions', formatCount(lines.length), `worth ${total(earned)}`],
      ...(retries > 0 ? [['retries', formatCount(retries), 'after a rate limit, a busy service or a lost connection']] : []),
    ],
    [1],
  );
}

function count<Item>(items: readonly Item[], test: (item: Item) => boolean): string {
  return formatCount(items.filter(test).length);
}

function total(amounts: readonly { currency: string; amount: number }[]): string {
  const sums = CURRENCIES.map((currency) => amounts.reduce((sum, one) => sum + (one.currency === currency ? one.amount : 0), 0));
  return CURRENCIES.map((currency, index) => formatMoney(sums[index] ?? 0, currency)).join(' and ');
}
