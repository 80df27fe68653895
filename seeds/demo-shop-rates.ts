/**
 * Partners of the shop: two groups, one rate that is agreed with a VIP, and a ladder, each sale with what paid it. They
 * stand apart from the tree, and sell in a currency of their own, so that nothing else of the shop changes.
 */
import type { ShopApi } from './demo-shop-api.ts';
import type { Problem } from './demo-shop-run.ts';
import { columns, formatMoney, formatRate } from './demo-shop-text.ts';

const CURRENCY = 'CHF';

const GROUPS = [
  { key: 'partners', name: 'Partners' },
  { key: 'vip', name: 'VIP partners' },
];

const PLAN = {
  mode: 'unilevel',
  base: 'net_of_tax_shipping',
  compression: 'compress',
  personalPurchase: 'sponsor_first',
  holding: { days: 14 },
  tierRules: { ORDINARY: {}, SENIOR: {}, MANAGER: {}, DIRECTOR: {} },
  scope: { groups: GROUPS.map(({ key }) => key) },
  levels: [{ level: 1, ladder: 'monthly' }],
  rules: [
    {
      id: 'gift-cards',
      levels: 'all',
      final: true,
      when: { fact: 'item.category', in: ['gift-card'] },
      pay: { rateBps: 0 },
    },
  ],
  ladders: [
    {
      id: 'monthly',
      measure: 'base',
      period: 'month',
      steps: [
        { from: { [CURRENCY]: 0 }, rateBps: 1000 },
        { from: { [CURRENCY]: 500_000 }, rateBps: 1200 },
        { from: { [CURRENCY]: 1_000_000 }, rateBps: 1500 },
      ],
    },
  ],
  overrides: { levels: [1], maxRateBps: 3000 },
};

type Seller = 'Pia' | 'Vera';

const GIFT_CARD = [{ sku: 'card-100', category: 'gift-card', amount_minor: 10_000 }];

/** In this order; what each pays follows from those before. */
const SALES: { seller: Seller; amountMinor: number; pays: number; lineItems?: object[] }[] = [
  { seller: 'Pia', amountMinor: 300_000, pays: 30_000 },
  { seller: 'Pia', amountMinor: 250_000, pays: 25_000 },
  { seller: 'Pia', amountMinor: 600_000, pays: 72_000 },
  { seller: 'Vera', amountMinor: 100_000, pays: 18_000 },
  { seller: 'Vera', amountMinor: 10_000, pays: 0, lineItems: GIFT_CARD },
];

interface Share {
  rate_bps: number;
  amount_minor: number;
  chosen?: Choice;
  rate_parts?: Choice[];
}

interface Choice {
  source: string;
  id: string | null;
  ladder?: { sum: string };
}

/** The sales as a table, and what was not paid as it should have been. */
export async function playPartners(api: ShopApi): Promise<{ lines: string[]; problems: Problem[] }> {
  const post = async <Body>(path: string, body: object, idempotencyKey: string): Promise<Body> =>
    (await api.send<Body>('POST', `/api/v1${path}`, { body, idempotencyKey })).body;
  for (const group of GROUPS) await post('/groups', group, `group-${group.key}`);
  const newMember = (name: string, group: string) =>
    post<{ id: string }>('/users', { email: `${name.toLowerCase()}@partners.example`, name, group }, `partner-${name}`);
  const ids = { Pia: (await newMember('Pia', 'partners')).id, Vera: (await newMember('Vera', 'vip')).id };
  const agreed = { target: 'member', targetId: ids.Vera, pay: { rateBps: 1800 }, reason: 'Sells to whole companies' };
  await post('/rate-overrides', agreed, 'agreed-Vera');
  const plan = await post<{ id: string }>('/commission-plans', { name: 'Partners', definition: PLAN }, 'plan-partners');
  const version = await post<{ effectiveFrom: string }>(`/commission-plans/${plan.id}/publish`, {}, 'publish-partners');

  const problems: Problem[] = [];
  const rows: string[][] = [];
  for (const [index, { seller, amountMinor, pays, lineItems }] of SALES.entries()) {
    const externalEventId = `partners-${index + 1}`;
    const sale = {
      external_event_id: externalEventId,
      amount_minor: amountMinor,
      currency: CURRENCY,
      occurred_at: new Date(Date.parse(version.effectiveFrom) + index + 1).toISOString(),
      customer: { external_id: externalEventId },
      attribution: { user_id: ids[seller] },
      line_items: lineItems,
    };
    const { event_id: eventId } = await post<{ event_id: string }>('/events/purchase', sale, externalEventId);
    const explained = await api.get<{ outcomes: { shares: Share[] }[] }>(`/api/v1/events/${eventId}/explain`);
    const [share] = explained.outcomes.flatMap(({ shares }) => shares);
    const paid = share?.amount_minor ?? 0;
    if (paid !== pays) problems.push(`${externalEventId} pays ${paid}, not ${pays}`);
    rows.push([
      seller,
      formatMoney(amountMinor, CURRENCY),
      formatRate(share?.rate_bps ?? 0),
      formatMoney(paid, CURRENCY),
      wordsOf(share),
    ]);
  }
  return { lines: columns(rows, [1, 2, 3]), problems };
}

function wordsOf(share: Share | undefined): string {
  const choice = share?.chosen ?? share?.rate_parts?.[0];
  if (choice?.ladder) return `the ladder, ${formatMoney(Number(choice.ladder.sum), CURRENCY)} before`;
  return choice?.source === 'member' ? 'what was agreed with the member' : `the rule ${choice?.id}`;
}
