/**
 * What the forms of refunds and disputes share: the preview of the deed, and the look once more before it is done.
 * Source: docs/specification/pages.md#previews.
 */
import { AppError } from '../../../errors.ts';
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { ActionAnswer, PageContext } from '../../../pages/define-page.ts';
import { type FormValues, formValues } from '../../../pages/form-values.ts';
import { type MemberNames, memberNames } from '../../../pages/parts/member-names.ts';
import { getEvent, listEvents } from '../../events/events-operations.ts';
import { previewReversal } from '../../events/reversals/preview-operations.ts';
import type { recordChargeback, recordRefund } from '../../events/reversals/reversal-operations.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import type { SaleEvent } from './walk-view.ts';

export type Preview = AnswerOf<typeof previewReversal>;

/** What a form wants to do, as the preview takes it. */
export interface WantedReversal {
  kind: 'refund' | 'chargeback';
  /** Undefined: what is left of the sale. */
  amount_minor?: number | undefined;
  dispute_id?: string | undefined;
  stage?: string | undefined;
}

export interface ReversalGround {
  sale: SaleEvent;
  /** Refunds and stages of disputes of the sale, the latest first. */
  before: readonly SaleEvent[];
  /** Undefined where nothing is asked for yet, and where it was refused. */
  preview: Preview | undefined;
  /** Why the preview was refused. */
  fault: string | undefined;
  names: MemberNames;
}

export const GROUND_NEEDS = [getEvent, listEvents, previewReversal] as const;
export const GROUND_USES = [listMembers] as const;

export function saleIdOf({ params }: Pick<PageContext, 'params'>): string {
  return params['eventId'] ?? '';
}

/** The sale, what took it back before, and what would become of it; undefined where the event is no sale. */
export async function readGround(
  page: PageContext,
  want: (sale: SaleEvent) => WantedReversal | undefined,
): Promise<ReversalGround | undefined> {
  const id = saleIdOf(page);
  const sale = await page.invoke(getEvent, { params: { event_id: id } });
  if (sale.kind !== 'purchase') return undefined;
  const [{ data: before }, looked] = await Promise.all([
    page.invoke(listEvents, { query: { purchase_event_id: id, sort: '-recorded_at', limit: '100' } }),
    look(page, sale, want),
  ]);
  const ids = [...sale.commissions, ...(looked.preview?.lines ?? [])].map(({ user_id }) => user_id);
  const names = await memberNames(page, ids, (some) => page.invokeIfAllowed(listMembers, { query: { ids: some, limit: '100' } }));
  return { sale, before, ...looked, names };
}

/** A preview that is refused says why in its place: the page is there to try another amount. */
async function look(
  page: PageContext,
  sale: SaleEvent,
  want: (sale: SaleEvent) => WantedReversal | undefined,
): Promise<Pick<ReversalGround, 'preview' | 'fault'>> {
  try {
    const wanted = want(sale);
    return { preview: wanted && (await previewOf(page, wanted)), fault: undefined };
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.status >= 500) throw thrown;
    return { preview: undefined, fault: inWords(thrown) };
  }
}

function inWords({ message, details }: AppError): string {
  const fields = details?.['fields'];
  const [first] = Array.isArray(fields) ? (fields as { field: string; message: string }[]) : [];
  return first === undefined ? message : `${first.field === 'amount_minor' ? 'The amount' : first.field} ${first.message}`;
}

function previewOf(page: PageContext, wanted: WantedReversal): Promise<Preview> {
  return page.invoke(previewReversal, { params: { event_id: saleIdOf(page) }, body: wanted });
}

/** The amount in major units of the address, in minor units; VALIDATION_ERROR when it is none. */
export function amountOf({ query }: Pick<PageContext, 'query'>, currency: string): number | undefined {
  return formValues(new URLSearchParams({ amount: query['amount'] ?? '' })).minor('amount', currency);
}

/** Of two previews the same when they do the same: what each line gives back, and what is left of the sale. */
export function markOf({ lines, refunded_minor, amount_minor }: Preview): string {
  const moved = lines.map(({ commission_id: id, change_minor, status_after }) => `${id}:${change_minor}:${status_after}`);
  return [amount_minor, refunded_minor, ...moved.toSorted()].join(' ');
}

type RecordOperation = typeof recordRefund | typeof recordChargeback;

/**
 * Records it as it was shown. What has changed since is STATE_CONFLICT and nothing is done, unless the change is this
 * very event: a form that is sent twice gets the first answer.
 */
export async function recordAsShown(
  page: PageContext,
  form: FormValues,
  { operation, wanted, sale }: { operation: RecordOperation; wanted: WantedReversal; sale: SaleEvent },
): Promise<ActionAnswer> {
  const id = form.text('external_event_id') ?? '';
  const { kind: _kind, ...fields } = wanted;
  const now = await previewOf(page, wanted).catch((thrown: unknown) => thrown);
  const isAsShown = !(now instanceof Error) && markOf(now as Preview) === form.raw('mark');
  if (!isAsShown && !(await isRecorded(page, id))) {
    if (now instanceof Error) throw now;
    throw new AppError('STATE_CONFLICT', 'The sale has changed since this was shown. Look at it again: nothing was done.');
  }
  const body = {
    ...fields,
    external_event_id: id,
    purchase_external_event_id: sale.external_event_id,
    reason: form.text('reason') ?? null,
  };
  const { event_id } = await page.invoke(operation as typeof recordRefund, { body });
  return { to: page.at(`/sales/${event_id}`), said: 'Recorded. Each line gave back what was shown.' };
}

async function isRecorded(page: PageContext, id: string): Promise<boolean> {
  if (id === '') return false;
  return (await page.invoke(listEvents, { query: { external_event_id: id, limit: '1' } })).data.length > 0;
}
