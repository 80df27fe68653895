/** The map of the service: the order of the middleware and every mount. */
import express, { type Express, Router } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { mountAuditLog } from './features/audit/audit-log-router.ts';
import type { AuditLogService } from './features/audit/audit-log-service.ts';
import { mountAuth } from './features/auth/auth-router.ts';
import type { ExchangeService } from './features/auth/exchange-service.ts';
import { mountJwks } from './features/auth/jwks-router.ts';
import { mountAuthProviders } from './features/auth/providers-router.ts';
import type { ProvidersService } from './features/auth/providers-service.ts';
import type { SigningKeys } from './features/auth/signing-keys.ts';
import type { TokensService } from './features/auth/tokens-service.ts';
import { mountCommissions } from './features/commissions/commissions-router.ts';
import type { CommissionsService } from './features/commissions/commissions-service.ts';
import { mountPlans } from './features/commissions/plans-router.ts';
import type { PlansService } from './features/commissions/plans-service.ts';
import type { BatchService } from './features/events/batch-service.ts';
import { mountEvents } from './features/events/events-router.ts';
import type { EventsService } from './features/events/events-service.ts';
import { mountQuotes } from './features/events/quote-router.ts';
import type { QuoteService } from './features/events/quote-service.ts';
import { mountExchangeRates } from './features/exchange-rates/exchange-rates-router.ts';
import type { ExchangeRatesService } from './features/exchange-rates/exchange-rates-service.ts';
import type { DownlineService } from './features/genealogy/downline-service.ts';
import { mountGenealogy } from './features/genealogy/genealogy-router.ts';
import type { GenealogyService } from './features/genealogy/genealogy-service.ts';
import { mountImports } from './features/imports/imports-router.ts';
import type { ImportsService } from './features/imports/imports-service.ts';
import { mountKycDocuments } from './features/kyc/documents-router.ts';
import type { DocumentsService } from './features/kyc/documents-service.ts';
import { mountKyc } from './features/kyc/kyc-router.ts';
import type { KycService } from './features/kyc/kyc-service.ts';
import type { EventReceiver } from './features/kyc/receive-event.ts';
import { mountKycReceiver } from './features/kyc/receiver-router.ts';
import type { SandboxEventsService } from './features/kyc/sandbox-events-service.ts';
import type { KycDecisionsService } from './features/kyc-review/kyc-decisions-service.ts';
import type { KycQueueService } from './features/kyc-review/kyc-queue-service.ts';
import { mountKycReview } from './features/kyc-review/kyc-review-router.ts';
import { mountLeads } from './features/leads/leads-router.ts';
import type { LeadsService } from './features/leads/leads-service.ts';
import { mountLedger } from './features/ledger/ledger-router.ts';
import type { LedgerService } from './features/ledger/ledger-service.ts';
import { mountMemberList } from './features/members/member-list-router.ts';
import type { MemberListService } from './features/members/member-list-service.ts';
import { mountMembers } from './features/members/members-router.ts';
import type { MembersService } from './features/members/members-service.ts';
import { mountPaymentReceiver } from './features/payouts/payment-receiver-router.ts';
import { mountPayoutAccounts } from './features/payouts/payout-accounts-router.ts';
import type { PayoutAccountsService } from './features/payouts/payout-accounts-service.ts';
import { mountPayoutMethods } from './features/payouts/payout-methods-router.ts';
import type { PayoutMethodsService } from './features/payouts/payout-methods-service.ts';
import { mountPayouts } from './features/payouts/payouts-router.ts';
import type { PayoutsService } from './features/payouts/payouts-service.ts';
import type { Provisioner } from './features/payouts/provision-account.ts';
import type { PaymentEventReceiver } from './features/payouts/receive-payment-event.ts';
import { mountRunCsv } from './features/payouts/run-csv-router.ts';
import type { RunCsvService } from './features/payouts/run-csv-service.ts';
import { mountPayoutRuns } from './features/payouts/runs-router.ts';
import type { RunsService } from './features/payouts/runs-service.ts';
import type { SimulatedPaymentEvents } from './features/payouts/simulated-payment-events.ts';
import type { DataExportService } from './features/profile/data-export-service.ts';
import type { ErasureService } from './features/profile/erasure-service.ts';
import { mountProfile } from './features/profile/profile-router.ts';
import type { ProfileService } from './features/profile/profile-service.ts';
import { mountSandbox } from './features/sandbox/sandbox-router.ts';
import type { SandboxService } from './features/sandbox/sandbox-service.ts';
import { mountVendorEvents } from './features/sandbox/vendor-events-router.ts';
import { mountStatements } from './features/statements/statements-router.ts';
import type { StatementsService } from './features/statements/statements-service.ts';
import type { TaxDocumentsService } from './features/statements/tax-documents-service.ts';
import { mountApiKeys } from './features/tenants/api-keys-router.ts';
import type { ApiKeysService } from './features/tenants/api-keys-service.ts';
import { mountSettings } from './features/tenants/settings-router.ts';
import type { SettingsService } from './features/tenants/settings-service.ts';
import { mountSponsor } from './features/users/sponsor-router.ts';
import type { SponsorService } from './features/users/sponsor-service.ts';
import { mountUsers } from './features/users/users-router.ts';
import type { UsersService } from './features/users/users-service.ts';
import { compressAnswers } from './http/compress.ts';
import { mountDocsPage } from './http/docs-page.ts';
import { errorHandler, notFound, refuseOtherMethods } from './http/error-handler.ts';
import type { Health } from './http/health.ts';
import { createMount, type HttpKit, provisionalEnvironment } from './http/mount.ts';
import { buildOpenApiDocument } from './http/openapi.ts';
import type { Operation } from './http/operation.ts';
import { requestLog } from './http/request-log.ts';
import { refuseBrokenUrl } from './http/wire-guard.ts';
import { type DiskUploads, mountUploads } from './vendors/storage/uploads-router.ts';

export interface Services {
  config: Config;
  logger: Logger;
  http: HttpKit;
  health: Health;
  users: UsersService;
  sponsor: SponsorService;
  leads: LeadsService;
  imports: ImportsService;
  events: EventsService;
  batches: BatchService;
  quotes: QuoteService;
  commissions: CommissionsService;
  members: MembersService;
  genealogy: GenealogyService;
  downline: DownlineService;
  memberList: MemberListService;
  plans: PlansService;
  exchangeRates: ExchangeRatesService;
  apiKeys: ApiKeysService;
  settings: SettingsService;
  sandbox: SandboxService;
  ledger: LedgerService;
  runCsv: RunCsvService;
  paymentEvents: PaymentEventReceiver;
  statements: StatementsService;
  taxDocuments: TaxDocumentsService;
  auditLog: AuditLogService;
  profiles: ProfileService;
  erasure: ErasureService;
  dataExport: DataExportService;
  provisioner: Provisioner;
  payoutRuns: RunsService;
  payouts: PayoutsService;
  authProviders: ProvidersService;
  kycQueue: KycQueueService;
  kycDecisions: KycDecisionsService;
  signingKeys: SigningKeys;
  tokens: TokensService;
  exchange: ExchangeService;
  kyc: KycService;
  kycEvents: EventReceiver;
  sandboxEvents: SandboxEventsService;
  simulatedPayments: SimulatedPaymentEvents;
  kycDocuments: DocumentsService;
  /** Undefined where documents are not kept on disk. */
  diskUploads: DiskUploads | undefined;
  payoutMethods: PayoutMethodsService;
  payoutAccounts: PayoutAccountsService;
}

export interface App {
  express: Express;
  /** Every mounted operation, for the OpenAPI document and the tests that are driven by it. */
  operations: readonly Operation[];
}

export function createApp(services: Services): App {
  const { config, logger } = services;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.TRUST_PROXY_HOPS);

  app.use(requestLog(logger));
  app.use(
    helmet({ contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } } }),
  );
  app.use((req, res, next) => {
    res.setHeader('X-Environment', provisionalEnvironment(req, config.DEFAULT_ENVIRONMENT));
    res.setHeader('Cache-Control', 'no-store');
    refuseBrokenUrl(req.url);
    next();
  });
  app.use(compressAnswers());

  const router = Router({ caseSensitive: true, strict: true });
  const { mount, mountOpen, mountReceiver, mountUpload, operations } = createMount(services.http);

  services.health.mount(router);
  mountJwks(router, services.signingKeys);
  mountUsers(router, mount, services.users);
  mountSponsor(router, mount, services.sponsor);
  mountLeads(router, mount, services.leads);
  mountImports(router, { mount, mountUpload }, services.imports, config.IMPORT_MAX_BYTES);
  mountEvents(router, mount, services);
  mountQuotes(router, mount, services.quotes);
  mountCommissions(router, mount, services.commissions);
  mountMembers(router, mount, services.members);
  mountGenealogy(router, mount, services.genealogy, services.downline);
  mountMemberList(router, mount, services.memberList);
  mountProfile(router, mount, services);
  mountKyc(router, mount, services.kyc);
  mountKycDocuments(router, mount, services.kycDocuments);
  mountPayoutMethods(router, mount, services.payoutMethods);
  mountPayoutAccounts(router, mount, services.payoutAccounts);
  mountPayoutRuns(router, mount, services.payoutRuns);
  mountPayouts(router, mount, services.payouts);
  mountPlans(router, mount, services.plans);
  mountExchangeRates(router, mount, services.exchangeRates);
  mountApiKeys(router, mount, services.apiKeys);
  mountSettings(router, mount, services.settings);
  mountSandbox(router, mount, services.sandbox);
  mountVendorEvents(router, mount, services);
  mountLedger(router, mount, services.ledger);
  mountRunCsv(router, mount, services.runCsv);
  mountPaymentReceiver(router, mountReceiver, services.paymentEvents);
  mountStatements(router, mount, services);
  mountAuditLog(router, mount, services.auditLog);
  mountKycReview(router, mount, services);
  mountAuthProviders(router, mount, services.authProviders);
  mountAuth(router, { mount, mountOpen }, services);
  mountKycReceiver(router, mountReceiver, services.kycEvents);

  const document = JSON.stringify(buildOpenApiDocument(operations));
  router.get('/api/v1/openapi.json', (_req, res) => {
    res.type('application/json').send(document);
  });
  mountDocsPage(router);
  refuseOtherMethods(router);
  if (services.diskUploads) mountUploads(router, services.diskUploads);

  app.use(router);
  app.use(notFound);
  app.use(errorHandler(logger));
  return { express: app, operations };
}
