/**
 * The description of a feature: what is known of it without a running process, and how it is opened. Migrations, the
 * doctor, the documents and the tests read the description; the process opens it.
 */
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Config } from '../config.ts';
import type { FunctionParts } from '../db/composed-functions.ts';
import type { Constraints } from '../db/constraints.ts';
import type { Frames } from '../db/frame.ts';
import type { Audit } from '../doctor/audit.ts';
import type { GrowsWith } from '../doctor/sizes.ts';
import type { Cipher } from '../encryption.ts';
import type { FeatureError } from '../errors.ts';
import type { Invoke } from '../http/invoke.ts';
import type { KeyScope, OperationGroup } from '../http/operation.ts';
import type { Cursors } from '../http/pagination.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import type { KeyedRoute, Route } from '../http/route.ts';
import type { TenantPlaces } from '../http/tenant-places.ts';
import type { BackgroundLoop } from '../jobs/background-loop.ts';
import type { JobDeclaration } from '../jobs/declarations.ts';
import type { JobHandler } from '../jobs/job.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Sweep } from '../jobs/schedule.ts';
import type { DocumentStore } from '../open-storage.ts';
import type { NoteCall } from '../outgoing/call-meter.ts';
import type { OutgoingClient } from '../outgoing/outgoing-client.ts';
import type { OwnAddress } from '../own-address.ts';
import type { CommandLine } from './commands.ts';
import type { DeclaredEvent, DeclaredEvents } from './events.ts';
import type { Personal } from './personal.ts';
import type { Sealed } from './sealed.ts';
import type { NamedSettingsPart, SettingsDeclaration, SettingsPart } from './settings.ts';

/** Environment variables by name, each a zod schema of the text with its default and its description. */
export type EnvShape = Readonly<Record<string, z.ZodType>>;

/** What a feature says of itself without a running process; its `name` is that of its folder. */
export interface Description extends FunctionParts {
  /** What an API key may be allowed to do, with what each scope means to a person. */
  scopes?: Readonly<Record<`${string}:${string}`, string>>;
  /** The same of rights that people alone have: no key is given one, and `*` does not stand for it. */
  peopleScopes?: Readonly<Record<`${string}:${string}`, string>>;
  /** The sections of the document that it adds, each with what it is about; its operations may stand in those of others, too. */
  groups?: Readonly<Record<OperationGroup, string>>;
  /** Settings of the deployment that only this feature reads. */
  env?: EnvShape;
  /** Places in its code where a test may kill or hold the process: `thing:moment`. */
  faultPoints?: readonly `${string}:${string}`[];
  /** The error codes that are its own. */
  errors?: Readonly<Record<string, FeatureError>>;
  /** What a violation of its constraints means to the caller. */
  constraints?: Constraints;
  /** What its tables grow with, for `doctor --sizes`. */
  growsWith?: GrowsWith;
  /** Invariants of its rows, which `doctor` audits. */
  audits?: readonly Audit[];
  /** What it holds of a person. */
  personal?: Personal;
  /** Background jobs; their queues are made by `migrate`. */
  jobs?: readonly JobDeclaration[];
  /** Its columns that are encrypted under a data key. */
  sealed?: readonly Sealed[];
  /** What it tells tenants of, by `tell` of the webhooks. */
  events?: DeclaredEvents;
  /** Its part of a tenant's settings; what the part does, `open` returns. */
  settings?: SettingsDeclaration;
}

/** What the house gives to every feature that is opened. */
export interface Kit<Env extends EnvShape = EnvShape> {
  /** The settings of the deployment that several features read. */
  config: Config;
  /** The feature's own. */
  env: { readonly [Name in keyof Env]: z.output<Env[Name]> };
  frames: Frames;
  cursors: Cursors;
  cipher: Cipher;
  /** Keys what is stored as a digest only. */
  pepper: Buffer;
  logger: Logger;
  queue: JobQueue;
  rateLimits: RateLimits;
  /** For what answers requests by another way than an operation's. */
  places: TenantPlaces;
  /** Calls any operation in this process, for pages. Not to be called while features are being opened. */
  invoke: Invoke;
  /** The one client for addresses that a tenant has chosen. */
  outgoing: OutgoingClient;
  /** To be told of calls to a vendor of the feature's own; undefined where nobody reads metrics. */
  noteCall: NoteCall | undefined;
  ownAddress: OwnAddress;
  /** Where documents are kept and what looks through them. */
  documents: DocumentStore;
  /** In tests, what stands in for a part that the feature would open itself, by a name of the feature's. */
  standIns: Readonly<Record<string, unknown>>;
  house: HouseParts;
}

/** What a feature may know of all the others, for the few that serve them all. */
export interface HouseParts {
  /** Every scope that a key may have, in the order of the document. */
  scopes: readonly string[];
  /** The same with those that people alone have. */
  allScopes: readonly string[];
  /** The operation of that id with what carries it out, of a feature that stands before. Throws when there is none. */
  routeOf(operationId: string): KeyedRoute;
  /** The scope that the operation of that id needs, of a feature that stands before. Throws when there is none. */
  scopeOf(operationId: string): KeyScope;
  /** What each feature holds of a person, in the order in which it is erased. */
  personal: readonly Personal[];
  /** The parts of a tenant's settings, as the document has them. */
  settings: readonly SettingsDeclaration[];
  /** The same, as they run. Of a house that is open. */
  settingsParts(): readonly NamedSettingsPart[];
  /** What violations of all features' constraints mean. */
  constraints: Constraints;
  /** All that tenants are told of, by type. */
  events: ReadonlyMap<string, DeclaredEvent>;
  /** Every sweep. Of a house that is open: not to be called while features are being opened. */
  sweeps(): readonly Sweep[];
}

/** A feature that runs. */
export interface Opened<Offers> {
  /** What other features get that name it as a need. */
  offers: Offers;
  /** In the order they are tried in. */
  routes?: readonly Route[];
  sweeps?: readonly Sweep[];
  handlers?: readonly JobHandler[];
  loops?: readonly BackgroundLoop[];
  /** Of a feature that declares settings. */
  settings?: SettingsPart;
  /** Called by a process that answers requests, once it listens. */
  start?(): void;
  close?(): Promise<void> | void;
}

export interface Feature<Needs, Offers> extends Description {
  /** Adds operators' commands. */
  commands?(line: CommandLine<Offers>): void;
  open(kit: Kit, needs: Needs): Opened<Offers>;
}

/**
 * Keeps the types of the parts; adds nothing at run time. `open` gets the kit, and by name what other features offer:
 * the compiler checks in features.ts that each need is met, and by a feature that stands before this one.
 */
export function defineFeature<const Env extends EnvShape, Needs = unknown, Offers = unknown>(
  feature: Description & {
    env?: Env;
    commands?(line: CommandLine<NoInfer<Offers>>): void;
    open(kit: Kit<Env>, needs: Needs): Opened<Offers>;
  },
): Feature<Needs, Offers> {
  return feature;
}
