/** What the demo shop sold: one-time orders and monthly boxes, in dollars and euros, over six months. */
import type { Dice } from './demo-shop-dice.ts';
import { type Credit, type Currency, DAY_MS, DAYS, type ShopMember, type ShopPurchase } from './demo-shop-model.ts';
import { drawName, type Person } from './demo-shop-names.ts';

interface Customer extends Person {
  externalId: string;
  currency: Currency;
  credit: Credit;
}

interface Product {
  sku: string;
  name: string;
  category: string;
  priceMinor: Record<Currency, number>;
}

const PRODUCTS: readonly Product[] = [
  { sku: 'TEA-01', name: 'Green tea, 250 g', category: 'tea', priceMinor: { USD: 1490, EUR: 1390 } },
  { sku: 'TEA-02', name: 'Herbal tea, 100 g', category: 'tea', priceMinor: { USD: 899, EUR: 849 } },
  { sku: 'COF-01', name: 'Coffee beans, 1 kg', category: 'coffee', priceMinor: { USD: 2799, EUR: 2599 } },
  { sku: 'HON-01', name: 'Forest honey', category: 'pantry', priceMinor: { USD: 1235, EUR: 1129 } },
  { sku: 'OIL-01', name: 'Olive oil, 750 ml', category: 'pantry', priceMinor: { USD: 2150, EUR: 1975 } },
  { sku: 'SOA-01', name: 'Hand soap, set of 3', category: 'care', priceMinor: { USD: 1799, EUR: 1649 } },
  { sku: 'CRM-01', name: 'Day cream', category: 'care', priceMinor: { USD: 3450, EUR: 3195 } },
  { sku: 'GFT-01', name: 'Gift basket', category: 'gifts', priceMinor: { USD: 8999, EUR: 8299 } },
];

const BOXES: readonly Product[] = [
  { sku: 'BOX-S', name: 'Monthly box, small', category: 'boxes', priceMinor: { USD: 2900, EUR: 2700 } },
  { sku: 'BOX-L', name: 'Monthly box, large', category: 'boxes', priceMinor: { USD: 5900, EUR: 5500 } },
];

const TAX_BPS: Record<Currency, number> = { USD: 825, EUR: 1900 };
const SHIPPING_MINOR: Record<Currency, number> = { USD: 595, EUR: 490 };
const FREE_SHIPPING_FROM_MINOR = 7_500;
const BOX_EVERY_DAYS = 30;

interface Wanted {
  members: readonly ShopMember[];
  count: number;
  today: number;
  dice: Dice;
}

/** Exactly `count` purchases, oldest first, numbered in that order. */
export function generatePurchases({ members, count, today, dice }: Wanted): ShopPurchase[] {
  if (count === 0) return [];
  const customers = generateCustomers(members, Math.max(4, Math.round(count / 5)), dice);
  const dated: { at: number; purchase: Omit<ShopPurchase, 'externalEventId' | 'occurredAt'> }[] = [];
  const boxes = Math.floor(count * 0.4);
  for (const customer of customers) {
    if (dated.length >= boxes) break;
    if (!dice.chance(0.35)) continue;
    const box = dice.pick(BOXES);
    const hour = openingTime(dice);
    const first = 1 + dice.int(DAYS);
    for (let daysAgo = first; daysAgo >= 1 && dated.length < boxes; daysAgo -= BOX_EVERY_DAYS) {
      const type = daysAgo === first ? 'subscription_initial' : 'subscription_renewal';
      dated.push({ at: today - daysAgo * DAY_MS + hour, purchase: purchaseOf(customer, type, [[box, 1]]) });
    }
  }
  while (dated.length < count) {
    const customer = dice.pick(customers);
    const daysAgo = 1 + Math.floor(DAYS * (dice.chance(0.5) ? dice.low() : dice.next()));
    const basket = dice.shuffle(PRODUCTS).slice(0, 1 + dice.int(3));
    const items = basket.map((product) => [product, 1 + dice.int(3)] as const);
    const purchase = purchaseOf(customer, 'one_time', items, dice.chance(0.12) ? 1_000 : 0);
    dated.push({ at: today - daysAgo * DAY_MS + openingTime(dice), purchase });
  }
  // Sorting is stable: purchases of the same second keep the order they were drawn in.
  return dated
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, purchase }, index) => ({
      ...purchase,
      externalEventId: `order-${String(index + 1).padStart(6, '0')}`,
      occurredAt: new Date(at).toISOString(),
    }));
}

/** The purchase that ends the demo: paid just now, with the seller's referral code. */
export function generateLastPurchase(seller: number): ShopPurchase {
  const customer: Customer = {
    externalId: 'customer-last',
    name: 'Nora Last',
    email: 'nora.last@customers.example',
    currency: 'USD',
    credit: { by: 'referral_code', member: seller },
  };
  const items = PRODUCTS.filter(({ sku }) => ['COF-01', 'HON-01', 'OIL-01'].includes(sku)).map(
    (product) => [product, 1] as const,
  );
  return { ...purchaseOf(customer, 'one_time', items), externalEventId: 'order-last', occurredAt: undefined };
}

function generateCustomers(members: readonly ShopMember[], count: number, dice: Dice): Customer[] {
  const taken = new Set<string>();
  const sellers = members.flatMap(({ level }, index) => (level > 1 || members.length === 1 ? [index] : []));
  return Array.from({ length: count }, (_, index) => {
    const credit = drawCredit(sellers, dice);
    const currency: Currency = dice.chance(0.6) ? 'USD' : 'EUR';
    const buyer = credit.by === 'buyer' ? members[credit.member] : undefined;
    const label = String(index + 1).padStart(4, '0');
    if (buyer) return { name: buyer.name, email: buyer.email, externalId: `member-${buyer.email}`, currency, credit };
    const person = drawName(dice, taken, `c${label}`);
    return {
      name: person.name,
      email: person.email.replace('@shop.', '@customers.'),
      externalId: `customer-${label}`,
      currency,
      credit,
    };
  });
}

function drawCredit(sellers: readonly number[], dice: Dice): Credit {
  const roll = dice.next();
  const member = dice.pick(sellers);
  if (roll < 0.5) return { by: 'referral_code', member };
  if (roll < 0.7) return { by: 'user_id', member };
  if (roll < 0.86) return { by: 'buyer', member };
  return roll < 0.88 ? { by: 'unknown_code' } : { by: 'nobody' };
}

/** Milliseconds into the day: from 7:00 to 21:00 UTC, to the second. */
function openingTime(dice: Dice): number {
  return (7 * 3600 + dice.int(14 * 3600)) * 1000;
}

function purchaseOf(
  customer: Customer,
  type: ShopPurchase['type'],
  items: readonly (readonly [Product, number])[],
  discountBps = 0,
): Omit<ShopPurchase, 'externalEventId' | 'occurredAt'> {
  const { currency, credit, name, email, externalId } = customer;
  const lineItems = items.map(([{ sku, name: title, category, priceMinor }, quantity]) => ({
    sku,
    name: title,
    category,
    quantity,
    amount_minor: priceMinor[currency] * quantity,
  }));
  const listed = lineItems.reduce((sum, item) => sum + item.amount_minor, 0);
  const discountMinor = shareOf(listed, discountBps);
  const goods = listed - discountMinor;
  const taxMinor = shareOf(goods, TAX_BPS[currency]);
  const shippingMinor = type !== 'one_time' || goods >= FREE_SHIPPING_FROM_MINOR ? 0 : SHIPPING_MINOR[currency];
  const amountMinor = goods + taxMinor + shippingMinor;
  return {
    type,
    currency,
    amountMinor,
    taxMinor,
    shippingMinor,
    discountMinor,
    customer: { externalId, name, email },
    credit,
    lineItems,
  };
}

/** Hundredths of a per cent of an amount, half up, in whole numbers. */
function shareOf(amountMinor: number, bps: number): number {
  return Math.floor((amountMinor * bps + 5_000) / 10_000);
}
