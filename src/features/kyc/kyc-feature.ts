/** Verifying members: the record, documents and where they are kept, the vendor, reviews by staff. */
import type { Frames } from '../../db/frame.ts';
import { defineFeature } from '../../house/feature.ts';
import { metered } from '../../outgoing/call-meter.ts';
import { createKycvendor } from '../../vendors/kyc/kycvendor.ts';
import type { ProfileOffers } from '../profile/profile-feature.ts';
import { kycDocumentsRoutes } from './documents/documents-routes.ts';
import { createDocumentsService, type DocumentsService } from './documents/documents-service.ts';
import { createObjectRemoval, createRemovalSweep, REMOVE_OBJECTS } from './documents/remove-objects.ts';
import { kycAudits } from './kyc-audits.ts';
import { kycEvents } from './kyc-events.ts';
import { kycPersonal } from './kyc-personal.ts';
import { kycSealed } from './kyc-sealed.ts';
import { createKycService } from './kyc-service.ts';
import { createExpirySweep } from './records/expire-approvals.ts';
import { kycRoutes } from './records/kyc-routes.ts';
import { createKycDecisionsService } from './review/kyc-decisions-service.ts';
import { createKycDeskService } from './review/kyc-desk-service.ts';
import { createKycFindingsService } from './review/kyc-findings-service.ts';
import { createKycQueueService } from './review/kyc-queue-service.ts';
import { kycReviewRoutes } from './review/kyc-review-routes.ts';
import { ASK_KYC_VENDOR, CHECK_BATCH, checkDueRecords, createVendorCheck } from './vendor/ask-vendor.ts';
import { forgetKycEvents } from './vendor/forget-kyc-events.ts';
import { createKycSettingsReader } from './vendor/kyc-settings.ts';
import { createKycSettingsPart } from './vendor/kyc-settings-part.ts';
import { kycSettingsDeclaration } from './vendor/kyc-settings-schemas.ts';
import { createKycVendors, type KycVendors } from './vendor/kyc-vendors.ts';
import { createEventReceiver } from './vendor/receive-event.ts';
import { kycReceiverRoutes } from './vendor/receiver-routes.ts';
import { createApplicantReset, RESET_KYC_APPLICANT } from './vendor/reset-applicant.ts';
import { createSandboxEventsService, type SandboxEventsService } from './vendor/sandbox-events-service.ts';

export interface KycOffers {
  /** Events as the vendor would send them, for a SANDBOX. */
  simulatedEvents: SandboxEventsService;
  documents: DocumentsService;
}

export const kycFeature = defineFeature({
  name: 'kyc',
  sealed: kycSealed,
  settings: kycSettingsDeclaration,
  events: kycEvents,
  audits: kycAudits,
  personal: kycPersonal,
  scopes: {
    'admin:kyc': 'Review verifications',
    'kyc:read': 'Read verifications',
    'kyc:write': 'Start verifications and send in documents',
  },
  groups: {
    KYC: "Members' verifications and their documents",
    'Admin KYC': "Reviews of verifications by the tenant's staff",
    'Webhook receivers': "What vendors post to the service; no tenant's backend calls these",
  },
  faultPoints: [
    'kyc:record-ensured',
    'kyc:applicant-made',
    'kyc:applicant-stored',
    'kyc:token-made',
    'document:stored',
    'kyc-event:committed',
  ],
  jobs: [
    // Its sweep asks again.
    { name: ASK_KYC_VENDOR, kind: 'leased', retryLimit: 2, longestSeconds: 60 },
    { name: RESET_KYC_APPLICANT, kind: 'leased', longestSeconds: 60 },
    { name: REMOVE_OBJECTS, kind: 'leased' },
  ],
  growsWith: 'members',
  tables: ['kyc_remark', 'kyc_event', 'kyc_document', 'kyc_upload', 'kyc_record', 'object_removal', 'kyc_settings'],
  kept: ['object_removal', 'kyc_settings'],
  // Rows go now, what they stand for in the storage right after: by the sweep.
  beforeErasure: [
    `insert into object_removal (tenant_id, environment, storage_key, remove_after)
    select d.tenant_id, d.environment, d.storage_key, now() from kyc_document d
    where d.tenant_id = erased_tenant and d.environment = 'SANDBOX'
    union all
    select u.tenant_id, u.environment, u.pending_key, now() from kyc_upload u
    where u.tenant_id = erased_tenant and u.environment = 'SANDBOX'
    on conflict (tenant_id, environment, storage_key) do update set remove_after = excluded.remove_after`,
  ],
  due: {
    'check-kyc': [{ table: 'kyc_record', at: 'check_at', clock: 'scope' }],
    'expire-kyc': [{ table: 'kyc_record', at: 'expires_at', clock: 'scope' }],
    'remove-objects': [{ table: 'object_removal', at: 'remove_after', clock: 'database' }],
    'forget-kyc-events': [
      {
        table: 'kyc_event',
        where: "outcome <> 'unmatched' and vendor_created_at is not null",
        at: 'greatest(received_at, vendor_created_at)',
        after: '400 days',
        clock: 'database',
      },
    ],
  },
  open(
    { frames, cursors, cipher, logger, queue, outgoing, noteCall, ownAddress, documents: { storage, scanner } },
    { profile: { profiles, findProfile, digestIdentity, digestNames, readIdentity } }: { profile: ProfileOffers },
  ) {
    const documents = createDocumentsService({ frames, storage, scanner });
    const kycvendor = metered(createKycvendor({ outgoing, logger }), 'kycvendor', noteCall);
    const settings = createKycSettingsReader({ frames, cipher });
    const vendors = createKycVendors({ settings, kycvendor, frames });
    const vendorsOn = (on: Frames): KycVendors =>
      createKycVendors({ settings: createKycSettingsReader({ frames: on, cipher }), kycvendor, frames: on });
    const kyc = createKycService({ frames, profiles, findProfile, settings, vendors, ownAddress: ownAddress.url });
    const kycQueue = createKycQueueService({ frames, findProfile, digestNames, cursors, documents });
    const kycDecisions = createKycDecisionsService({ frames, findProfile, queue, digestIdentity });
    const kycDesk = createKycDeskService({ frames, findProfile });
    const kycFindings = createKycFindingsService({ frames, findProfile, readIdentity, digestNames, vendors });
    const receiver = createEventReceiver({
      frames,
      settings,
      digestIdentity,
      readReview: async (scope, record) => (await vendors.of(scope, record)).readReview(),
    });
    return {
      offers: {
        simulatedEvents: createSandboxEventsService({ frames, settings, profiles, digestIdentity }),
        documents,
      } satisfies KycOffers,
      settings: createKycSettingsPart({ cipher, checkBaseUrl: outgoing.checkBaseUrl }),
      routes: [
        ...kycRoutes(kyc),
        ...kycDocumentsRoutes(documents),
        ...kycReviewRoutes({ kycQueue, kycDecisions, kycDesk, kycFindings }),
        ...kycReceiverRoutes(receiver),
      ],
      sweeps: [
        {
          name: 'check-kyc',
          batchSize: CHECK_BATCH,
          run: (db, scope, limit) =>
            checkDueRecords(db, scope, limit, (kycRecordId) => queue.enqueue(db, scope, ASK_KYC_VENDOR, { kycRecordId })),
        },
        createExpirySweep(queue),
        createRemovalSweep((tx, scope) => queue.enqueue(tx, scope, REMOVE_OBJECTS, {})),
        forgetKycEvents,
      ],
      handlers: [
        createVendorCheck({ vendorsOn, logger, digestIdentity }),
        createApplicantReset({ vendorsOn }),
        createObjectRemoval({ storage, logger }),
      ],
    };
  },
});
