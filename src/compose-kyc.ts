/** The parts of verifying members: settings, the vendor, documents and where they are kept, reviews. */
import type { Services } from './app.ts';
import type { Config } from './config.ts';
import type { Frames } from './db/frame.ts';
import type { Cipher } from './encryption.ts';
import { ASK_KYC_VENDOR, CHECK_BATCH, checkDueRecords, createVendorCheck } from './features/kyc/ask-vendor.ts';
import { createDocumentsService } from './features/kyc/documents-service.ts';
import { forgetKycEvents } from './features/kyc/forget-kyc-events.ts';
import { createKycService } from './features/kyc/kyc-service.ts';
import { createKycSettingsReader } from './features/kyc/kyc-settings.ts';
import { createKycSettingsPart } from './features/kyc/kyc-settings-part.ts';
import { createKycVendors, type KycVendors } from './features/kyc/kyc-vendors.ts';
import { createEventReceiver } from './features/kyc/receive-event.ts';
import { createObjectRemoval, createRemovalSweep, REMOVE_OBJECTS } from './features/kyc/remove-objects.ts';
import { createApplicantReset } from './features/kyc/reset-applicant.ts';
import { createSandboxEventsService } from './features/kyc/sandbox-events-service.ts';
import { createKycDecisionsService } from './features/kyc-review/kyc-decisions-service.ts';
import { createKycQueueService } from './features/kyc-review/kyc-queue-service.ts';
import type { ProfileService } from './features/profile/profile-service.ts';
import type { Cursors } from './http/pagination.ts';
import type { JobHandler } from './jobs/job.ts';
import type { JobQueue } from './jobs/queue.ts';
import type { Sweep } from './jobs/schedule.ts';
import { openDocumentStorage, openMalwareScanner } from './open-storage.ts';
import type { OutgoingClient } from './outgoing/outgoing-client.ts';
import type { OwnAddress } from './own-address.ts';
import { createKycvendor } from './vendors/kyc/kycvendor.ts';

interface Deps {
  config: Config;
  frames: Frames;
  cursors: Cursors;
  cipher: Cipher;
  logger: Services['logger'];
  queue: JobQueue;
  outgoing: OutgoingClient;
  profiles: ProfileService;
  ownAddress: OwnAddress;
}

export function composeKyc({ config, frames, cursors, cipher, logger, queue, outgoing, profiles, ownAddress }: Deps) {
  const { storage, diskUploads } = openDocumentStorage(config, ownAddress.url);
  const documents = createDocumentsService({ frames, storage, scanner: openMalwareScanner(config) });
  const kycvendor = createKycvendor({ outgoing, logger });
  const settings = createKycSettingsReader({ frames, cipher });
  const vendors = createKycVendors({ settings, kycvendor, frames });
  const vendorsOn = (on: Frames): KycVendors =>
    createKycVendors({ settings: createKycSettingsReader({ frames: on, cipher }), kycvendor, frames: on });
  const services = {
    kyc: createKycService({ frames, profiles, settings, vendors, ownAddress: ownAddress.url }),
    kycQueue: createKycQueueService({ frames, cursors, documents }),
    kycDecisions: createKycDecisionsService({ frames, queue }),
    kycEvents: createEventReceiver({
      frames,
      settings,
      readReview: async (scope, record) => (await vendors.of(scope, record)).readReview(),
    }),
    sandboxEvents: createSandboxEventsService({ frames, settings, profiles }),
    kycDocuments: documents,
    diskUploads,
  } satisfies Partial<Services>;
  const sweeps = {
    check: {
      name: 'check-kyc',
      batchSize: CHECK_BATCH,
      run: (db, scope) => checkDueRecords(db, scope, (kycRecordId) => queue.enqueue(db, scope, ASK_KYC_VENDOR, { kycRecordId })),
    },
    forgetEvents: forgetKycEvents,
    removeObjects: createRemovalSweep((tx, scope) => queue.enqueue(tx, scope, REMOVE_OBJECTS, {})),
  } satisfies Record<string, Sweep>;
  const handlers: JobHandler[] = [
    createVendorCheck({ vendorsOn, logger }),
    createApplicantReset({ vendorsOn }),
    createObjectRemoval({ storage, logger }),
  ];
  return {
    services,
    sweeps,
    handlers,
    settingsPart: createKycSettingsPart({ cipher, checkBaseUrl: outgoing.checkBaseUrl }),
    storage,
  };
}
