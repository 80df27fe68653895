/** Plays the shop's history against the API: members, leads, changes, purchases, and some of them twice. */
import { isDeepStrictEqual } from 'node:util';
import type { LeadAnswer, MemberAnswer, ReceiptAnswer } from './demo-shop-answers.ts';
import { forEachBounded, type ShopApi } from './demo-shop-api.ts';
import type { Shop, ShopLead, ShopMember, ShopPurchase } from './demo-shop-model.ts';
import type { Progress } from './demo-shop-progress.ts';

/** Something the service should have done and did not. */
export type Problem = string;

export interface ShopRun {
  /** By position in the shop. */
  members: MemberAnswer[];
  /** By position; the last one is of the shop's last purchase. */
  receipts: ReceiptAnswer[];
  repeated: { members: number; leads: number; purchases: number };
  problems: Problem[];
}

const CONCURRENCY = 8;
/** Every so many: sent again afterwards, or sent twice at once. */
const REPEAT_MEMBER = 25;
const REPEAT_PURCHASE = 80;
const DOUBLE_PURCHASE = 100;

/** How many calls `playShop` makes, retries aside. */
export function countCalls({ members, leads, changes, purchases }: Shop): number {
  const converted = members.filter(({ fromLead }) => fromLead).length;
  const repeats = [...purchases.keys()].filter((index) => isRepeated(index) || isDoubled(index)).length;
  return (
    members.length +
    countOf(members.length, REPEAT_MEMBER) +
    leads.length +
    converted +
    changes.length +
    purchases.length +
    repeats +
    1
  );
}

export async function playShop(api: ShopApi, shop: Shop, progress: Progress): Promise<ShopRun> {
  const run: ShopRun = { members: [], receipts: [], repeated: { members: 0, leads: 0, purchases: 0 }, problems: [] };
  const positions = [...shop.members.keys()];
  const isEarly = (position: number): boolean => shop.members[position]?.fromLead === false;
  const create = (position: number) => createMember(api, shop.members, run, progress, position);

  progress.phase('members');
  for (let level = 1; ; level++) {
    const here = positions.filter((position) => shop.members[position]?.level === level);
    if (here.length === 0) break;
    await forEachBounded(here.filter(isEarly), CONCURRENCY, create);
  }
  progress.phase('leads');
  await forEachBounded(shop.leads, CONCURRENCY, async (lead) => {
    await captureLead(api, lead, run);
    progress.tick();
  });
  progress.phase('leads who become members');
  await forEachBounded(
    positions.filter((position) => !isEarly(position)),
    CONCURRENCY,
    create,
  );
  await checkConversions(api, shop, run, progress);

  progress.phase('promotions and lapses');
  await forEachBounded(
    Object.values(Object.groupBy(shop.changes, ({ member }) => member)),
    CONCURRENCY,
    async (ofOneMember = []) => {
      for (const { member, effectiveAt, set, reason } of ofOneMember) {
        const body = { ...set, effective_at: effectiveAt, reason };
        const idempotencyKey = `change-${member}-${effectiveAt}-${Object.keys(set)[0]}`;
        await api.send<MemberAnswer>('PATCH', `/api/v1/users/${idOf(run, member)}`, { body, idempotencyKey });
        progress.tick();
      }
    },
  );
  progress.phase('purchases');
  await forEachBounded(shop.purchases, CONCURRENCY, (purchase, index) => sendPurchase(api, purchase, index, run, progress));
  run.receipts.push((await postPurchase(api, shop.lastPurchase, run)).body);
  progress.tick();
  return run;
}

async function createMember(
  api: ShopApi,
  members: readonly ShopMember[],
  run: ShopRun,
  progress: Progress,
  position: number,
): Promise<void> {
  const member = members[position];
  if (!member) throw new RangeError(`no member ${position}`);
  const { name, email, tier, sponsor, joinsBy } = member;
  const above = sponsor === undefined ? undefined : run.members[sponsor];
  const named = above && (joinsBy === 'parent_id' ? { parent_id: above.id } : { referral_code: above.referral_code });
  const body = { email, name, membership_tier: tier, external_id: `shop-${position + 1}`, ...named };
  const idempotencyKey = `member-${position + 1}`;
  const first = await api.send<MemberAnswer>('POST', '/api/v1/users', { body, idempotencyKey });
  run.members[position] = first.body;
  progress.tick();
  if ((position + 1) % REPEAT_MEMBER !== 0) return;
  const again = await api.send<MemberAnswer>('POST', '/api/v1/users', { body, idempotencyKey });
  progress.tick();
  run.repeated.members++;
  if (!again.replayed || !isDeepStrictEqual(again.body, first.body)) {
    run.problems.push(`a repeated creation of ${email} was not answered with the first answer`);
  }
}

async function captureLead(api: ShopApi, lead: ShopLead, run: ShopRun): Promise<LeadAnswer> {
  const referralCode = lead.referrer === undefined ? undefined : run.members[lead.referrer]?.referral_code;
  const body = { email: lead.email.toUpperCase(), name: lead.name, source: lead.source, referral_code: referralCode };
  return (await api.send<LeadAnswer>('POST', '/api/v1/leads/capture', { body })).body;
}

/** A lead that became a member, captured once more: it must say so and keep who referred it. */
async function checkConversions(api: ShopApi, shop: Shop, run: ShopRun, progress: Progress): Promise<void> {
  const emails = new Set(shop.members.flatMap(({ fromLead, email }) => (fromLead ? [email] : [])));
  await forEachBounded(
    shop.leads.filter(({ email }) => emails.has(email)),
    CONCURRENCY,
    async (lead) => {
      const answer = await captureLead(api, { ...lead, referrer: 0 }, run);
      progress.tick();
      run.repeated.leads++;
      const referrer = lead.referrer === undefined ? null : idOf(run, lead.referrer);
      if (answer.conversion_status !== 'converted')
        run.problems.push(`the lead ${lead.email} is ${answer.conversion_status}, not converted`);
      if (answer.referrer_user_id !== referrer) run.problems.push(`the lead ${lead.email} lost its first referrer`);
    },
  );
}

const isRepeated = (index: number): boolean => index % REPEAT_PURCHASE === 7;
const isDoubled = (index: number): boolean => index % DOUBLE_PURCHASE === 3;
const countOf = (length: number, every: number): number => Math.floor(length / every);

/** Posts a purchase once, or twice: the second answer must be 200 with the first receipt, also when both are on their way at once. */
async function sendPurchase(
  api: ShopApi,
  purchase: ShopPurchase,
  index: number,
  run: ShopRun,
  progress: Progress,
): Promise<void> {
  const post = async () => {
    const answer = await postPurchase(api, purchase, run);
    progress.tick();
    return answer;
  };
  const answers = isDoubled(index) ? await Promise.all([post(), post()]) : [await post()];
  if (isRepeated(index)) answers.push(await post());
  const [first, second] = answers;
  if (!first) throw new Error('a purchase got no answer');
  run.receipts[index] = first.body;
  if (!second) return;
  run.repeated.purchases++;
  if (answers.filter(({ status }) => status === 201).length > 1) {
    run.problems.push(`${purchase.externalEventId} sent twice was answered ${answers.map(({ status }) => status).join(' and ')}`);
  }
  if (!isDeepStrictEqual(first.body, second.body)) run.problems.push(`${purchase.externalEventId} sent twice got two receipts`);
}

function postPurchase(api: ShopApi, purchase: ShopPurchase, run: ShopRun) {
  return api.send<ReceiptAnswer>('POST', '/api/v1/events/purchase', { body: purchaseBody(purchase, run) });
}

function purchaseBody(purchase: ShopPurchase, run: ShopRun): object {
  const { credit, customer } = purchase;
  const attribution =
    credit.by === 'referral_code'
      ? { referral_code: run.members[credit.member]?.referral_code }
      : credit.by === 'user_id'
        ? { user_id: idOf(run, credit.member) }
        : credit.by === 'unknown_code'
          ? { referral_code: 'NOSUCHCODE' }
          : undefined;
  return {
    external_event_id: purchase.externalEventId,
    type: purchase.type,
    occurred_at: purchase.occurredAt,
    amount_minor: purchase.amountMinor,
    currency: purchase.currency,
    tax_minor: purchase.taxMinor,
    shipping_minor: purchase.shippingMinor,
    discount_minor: purchase.discountMinor,
    customer: { external_id: customer.externalId, name: customer.name, email: customer.email },
    buyer_user_id: credit.by === 'buyer' ? idOf(run, credit.member) : undefined,
    attribution,
    line_items: purchase.lineItems,
  };
}

function idOf(run: ShopRun, position: number): string {
  const id = run.members[position]?.id;
  if (id === undefined) throw new Error(`member ${position} was not created`);
  return id;
}
