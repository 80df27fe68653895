/** What the page of one verification shows, read by operations. */
import { AppError } from '../../../errors.ts';
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { Need, PageContext } from '../../../pages/define-page.ts';
import { type MemberNames, memberNames } from '../../../pages/parts/member-names.ts';
import { listAuditLogs } from '../../audit/audit-log-operations.ts';
import { getKycFindings } from '../../kyc/review/kyc-findings-operations.ts';
import { getKycDocumentUrl, getKycReview, listKycReviews } from '../../kyc/review/kyc-queue-operations.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { queueQuery } from './queue-query.ts';

export type Review = AnswerOf<typeof getKycReview>;
export type Findings = AnswerOf<typeof getKycFindings>;
export type ReviewDocument = Review['documents'][number];
export type DocumentUrl = AnswerOf<typeof getKycDocumentUrl>;
type Queue = AnswerOf<typeof listKycReviews>['data'];
type Entries = AnswerOf<typeof listAuditLogs>['data'];

export interface ReviewFacts {
  review: Review;
  /** The next ones of the list that nobody else has taken. */
  queue: Queue;
  /** Undefined where they are asked for behind the page. */
  findings: Findings | undefined;
  /** Who did what; undefined where the role may not read the log. */
  log: Entries | undefined;
  /** Of other members. */
  names: MemberNames;
  /** Addresses of documents that are to be shown without a script, by id. */
  shown: ReadonlyMap<string, DocumentUrl>;
}

export const FACTS_NEED: readonly Need[] = [getKycReview, listKycReviews];
export const FACTS_USE: readonly Need[] = [getKycDocumentUrl, getKycFindings, listAuditLogs, listMembers];

const QUEUE = '15';
const LOG = '50';
/** Side by side. */
export const MOST_SHOWN = 2;

export function kycIdOf({ params }: Pick<PageContext, 'params'>): string {
  return params['kycId'] ?? '';
}

/** Where the document can be fetched by the reader's browser; it is written down who asked. NOT_FOUND. */
export async function urlOf(page: PageContext, documentId: string): Promise<DocumentUrl> {
  const found = await page.invoke(getKycDocumentUrl, { params: { kycId: kycIdOf(page), documentId } });
  return { ...found, url: page.reachable(found.url) };
}

export async function readReview(page: PageContext): Promise<ReviewFacts> {
  const kycId = kycIdOf(page);
  const [review, queue, log] = await Promise.all([
    page.invoke(getKycReview, { params: { kycId } }),
    page.invoke(listKycReviews, { query: { ...queueQuery(page), free: 'true', limit: QUEUE } }),
    page.invokeIfAllowed(listAuditLogs, { query: { targetKind: 'kyc_record', targetId: kycId, limit: LOG } }),
  ]);
  const others = review.flags.flatMap(({ userIds }) => userIds);
  const [findings, names, shown] = await Promise.all([
    review.provider === 'manual' || page.query['findings'] === 'yes' ? readFindings(page) : undefined,
    memberNames(page, others, (ids) => page.invokeIfAllowed(listMembers, { query: { ids, limit: '100' } })),
    urlsOf(page, review.documents),
  ]);
  return { review, queue: queue.data, findings, log: log?.data, names, shown };
}

/** What the vendor or the payout accounts say. A vendor that does not answer is said in words. */
export async function readFindings(page: PageContext): Promise<Findings> {
  try {
    return await page.invoke(getKycFindings, { params: { kycId: kycIdOf(page) } });
  } catch (error) {
    if (!(error instanceof AppError) || error.status < 409 || error.status === 500) throw error;
    return { source: 'none', fields: [], documents: [], words: error.message, rejectLabels: [] };
  }
}

/** The addresses of the documents that the page's own address names, as `show=01a2….01a3…`. */
async function urlsOf(page: PageContext, documents: readonly ReviewDocument[]): Promise<Map<string, DocumentUrl>> {
  const asked = (page.query['show'] ?? '').split('.').slice(0, MOST_SHOWN);
  const wanted = asked.filter((id) => documents.some((one) => one.id === id));
  return new Map(await Promise.all(wanted.map(async (id): Promise<[string, DocumentUrl]> => [id, await urlOf(page, id)])));
}
