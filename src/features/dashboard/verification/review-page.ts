/** One verification: may this person be paid? */
import { invalidField } from '../../../errors.ts';
import type { ActionAnswer } from '../../../pages/define-page.ts';
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import type { FormValues } from '../../../pages/form-values.ts';
import { actorName } from '../../../pages/parts/actor.ts';
import {
  approveKyc,
  assignKyc,
  rejectKyc,
  releaseKyc,
  requestKycResubmit,
  reviewKycDocument,
  takeKyc,
} from '../../kyc/review/kyc-decisions-operations.ts';
import { getKycReview } from '../../kyc/review/kyc-queue-operations.ts';
import { drawFindings } from './findings-view.ts';
import { reasonOf } from './reasons.ts';
import { FACTS_NEED, FACTS_USE, kycIdOf, readFindings, readReview, urlOf } from './review-facts.ts';
import { drawReview } from './review-view.ts';

export const reviewPage = definePage({
  path: '/verification/:kycId',
  title: 'Verification',
  below: '/verification',
  needs: FACTS_NEED,
  uses: FACTS_USE,
  async get(page) {
    const { as, document = '', save } = page.query;
    // What a script of ours is told once its form has done something.
    if (as === 'sent') return { json: { done: true } };
    if (as === 'json') return { json: await urlOf(page, document) };
    if (save !== undefined) return { redirect: (await urlOf(page, save)).url };
    if (page.part === 'findings') {
      const review = await page.invoke(getKycReview, { params: { kycId: kycIdOf(page) } });
      return { part: drawFindings(page, review, await readFindings(page)) };
    }
    return drawReview(page, await readReview(page));
  },
  actions: {
    accept: {
      needs: [reviewKycDocument],
      async run(page, form) {
        await page.invoke(reviewKycDocument, { params: documentOf(page, form), body: { decision: 'accepted' } });
        return answer(page, form, 'The document is accepted.');
      },
    },
    refuse: {
      needs: [reviewKycDocument],
      async run(page, form) {
        const body = { decision: 'rejected', reason: reasonIn(form) };
        await page.invoke(reviewKycDocument, { params: documentOf(page, form), body });
        return answer(page, form, 'The document is refused.');
      },
    },
    approve: {
      needs: [approveKyc],
      async run(page, form) {
        const params = { kycId: kycIdOf(page) };
        const note = form.text('note');
        const { provider } = await page.invoke(getKycReview, { params });
        if (provider === 'kycvendor' && note === undefined)
          throw invalidField('note', 'is required: the vendor decides on this verification, and you in its place');
        const body = {
          note: note ?? null,
          documentIds: form.raw('documentIds').split(' ').filter(Boolean),
          identityVersion: form.number('identityVersion'),
          expectedStatus: form.text('expectedStatus'),
        };
        await page.invoke(approveKyc, { params, body });
        return answer(page, form, 'The verification is approved.');
      },
    },
    reject: {
      needs: [rejectKyc],
      async run(page, form) {
        const body = { reason: reasonIn(form), expectedStatus: form.text('expectedStatus') };
        await page.invoke(rejectKyc, { params: { kycId: kycIdOf(page) }, body });
        return answer(page, form, 'The verification is rejected.');
      },
    },
    askAgain: {
      needs: [requestKycResubmit],
      async run(page, form) {
        const documents = form.list('documents');
        const body = {
          reason: reasonIn(form),
          expectedStatus: form.text('expectedStatus'),
          ...(documents.length > 0 && { documents }),
        };
        await page.invoke(requestKycResubmit, { params: { kycId: kycIdOf(page) }, body });
        return answer(page, form, 'The member is asked to send it in again.');
      },
    },
    take: {
      needs: [takeKyc],
      async run(page, form) {
        await page.invoke(takeKyc, { params: { kycId: kycIdOf(page) }, body: { from: form.checked('from') } });
        return answer(page, form, 'The record is yours for 15 minutes.');
      },
    },
    release: {
      needs: [releaseKyc],
      async run(page, form) {
        const { takenBy } = await page.invoke(releaseKyc, { params: { kycId: kycIdOf(page) } });
        const said =
          takenBy === null ? 'The record is free for others.' : `${actorName(takenBy)} has taken the record meanwhile.`;
        return answer(page, form, said);
      },
    },
    assign: {
      needs: [assignKyc],
      async run(page, form) {
        const assignee = form.text('assignee') ?? null;
        await page.invoke(assignKyc, { params: { kycId: kycIdOf(page) }, body: { assignee } });
        return answer(page, form, assignee === null ? 'Nobody is assigned.' : `Assigned to ${assignee}.`);
      },
    },
  },
});

function documentOf(page: PageContext, form: FormValues): { kycId: string; documentId: string } {
  return { kycId: kycIdOf(page), documentId: form.raw('documentId') };
}

/** VALIDATION_ERROR where neither a reason is chosen nor one is written. */
function reasonIn(form: FormValues): string {
  const reason = reasonOf(form.text('listed'), form.text('reason'));
  if (reason === '') throw invalidField('reason', 'is required: choose a reason above or write one');
  return reason;
}

/** A script of ours stays on its page and wants to know only whether it was done. */
function answer(page: PageContext, form: FormValues, said: string): ActionAnswer {
  return form.checked('quiet') ? { to: page.here({ as: 'sent' }) } : { to: page.here(), said };
}
