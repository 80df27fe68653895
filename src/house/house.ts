/**
 * The house: the features in the order they were added, and what is derived from their descriptions. features.ts is
 * the only list of them. Nothing here runs; `openHouse` opens the features in the same order.
 */
import type { Constraints } from '../db/constraints.ts';
import type { Audit } from '../doctor/audit.ts';
import { placeErrors, placeGroups, placeScopes } from '../document-order.ts';
import { type CodeRow, ERROR_CODES } from '../errors.ts';
import { createScopeOf, type ScopeOf } from '../http/rights.ts';
import type { KeyedRoute, Route, UploadRoute } from '../http/route.ts';
import type { BackgroundLoop } from '../jobs/background-loop.ts';
import type { JobDeclaration } from '../jobs/declarations.ts';
import type { JobHandler } from '../jobs/job.ts';
import type { Sweep } from '../jobs/schedule.ts';
import type { DeclaredEvent } from './events.ts';
import type { Description, EnvShape, Feature, HouseParts, Kit, Opened } from './feature.ts';
import type { Personal } from './personal.ts';
import type { Sealed } from './sealed.ts';
import type { NamedSettingsPart, SettingsDeclaration } from './settings.ts';

declare const offered: unique symbol;

/** A feature in the house, as the need of another. It stands for what the feature will offer once it is open. */
export interface Handle<out Offers> {
  readonly feature: string;
  readonly [offered]?: () => Offers;
}

type Handles<Needs> = { readonly [Name in keyof Needs]: Handle<Needs[Name]> };

interface Entry {
  feature: Feature<unknown, unknown>;
  needs: Readonly<Record<string, Handle<unknown>>>;
}

export interface House {
  /** Adds a feature, with the handles of what it needs. Returns its own handle. */
  add<Needs, Offers>(
    feature: Feature<Needs, Offers>,
    ...needs: unknown extends Needs ? [] : [needs: Handles<Needs>]
  ): Handle<Offers>;
  readonly entries: readonly Entry[];
  readonly features: readonly Description[];
}

export function createHouse(): House {
  const entries: Entry[] = [];
  return {
    entries,
    get features() {
      return entries.map(({ feature }) => feature);
    },
    add(feature, ...[needs]) {
      if (entries.some((entry) => entry.feature.name === feature.name)) throw new Error(`there are two features ${feature.name}`);
      entries.push({ feature, needs: needs ?? {} });
      return { feature: feature.name };
    },
  };
}

export interface OpenHouse {
  /** What a feature offers. */
  offer<Offers>(handle: Handle<Offers>): Offers;
  /** The operation of that id with what carries it out. Throws when there is none. */
  routeOf(operationId: string): KeyedRoute;
  /** The same of an operation that consumes a file. */
  uploadRouteOf(operationId: string): UploadRoute;
  /** The scope that the operation of that id needs. Throws when there is none. */
  scopeOf: ScopeOf;
  /** Of each feature that has some, in order. */
  routes: readonly { feature: string; routes: readonly Route[] }[];
  sweeps: readonly Sweep[];
  handlers: readonly JobHandler[];
  loops: readonly BackgroundLoop[];
  start(): void;
  close(): Promise<void>;
}

/** What all features get; each gets its own environment variables beside it. */
export type CommonKit = Omit<Kit, 'env' | 'house'>;

/** Opens the features in the order they were added; `close` reverses it. */
export function openHouse(house: House, kit: CommonKit, env: Readonly<Record<string, unknown>>): OpenHouse {
  const open = new Map<string, Opened<unknown>>();
  let whole = false;
  const offer = <Offers>({ feature }: Handle<Offers>): Offers => {
    const found = open.get(feature);
    if (!found) throw new Error(`the feature ${feature} is not open`);
    return found.offers as Offers;
  };
  const sweeps = (): Sweep[] => inOrder([...open.values()].flatMap((one) => one.sweeps ?? []));
  const settingsParts: NamedSettingsPart[] = [];
  const openRoutes = (): Route[] => [...open.values()].flatMap((one) => one.routes ?? []);
  /** Those that were asked for, by operation. */
  const keyedRoutes = new Map<string, KeyedRoute>();
  let scopeOf: ScopeOf | undefined;
  const readScopes = (): ScopeOf =>
    createScopeOf(openRoutes().flatMap((route) => ('operation' in route ? [route.operation] : [])));
  const parts: HouseParts = {
    scopes: scopesOf(house),
    allScopes: allScopesOf(house),
    scopeOf: (operationId) => (scopeOf ?? readScopes())(operationId),
    routeOf(operationId) {
      const known = keyedRoutes.get(operationId);
      if (known) return known;
      const found = openRoutes().find((route) => route.kind === 'keyed' && route.operation.operationId === operationId);
      if (found?.kind !== 'keyed') throw new Error(`no feature that is open has the operation ${operationId}`);
      keyedRoutes.set(operationId, found);
      return found;
    },
    constraints: constraintsOf(house),
    personal: personalOf(house),
    events: eventsOf(house),
    settings: settingsOf(house),
    settingsParts() {
      if (!whole) throw new Error('the house is not open yet');
      return settingsParts;
    },
    sweeps() {
      if (!whole) throw new Error('the house is not open yet');
      return sweeps();
    },
  };
  for (const { feature, needs } of house.entries) {
    const own = Object.fromEntries(Object.keys(feature.env ?? {}).map((name) => [name, env[name]]));
    const met = Object.fromEntries(Object.entries(needs).map(([name, handle]) => [name, offer(handle)]));
    open.set(feature.name, feature.open({ ...kit, env: own, house: parts }, met));
  }
  for (const { name, settings } of house.features) {
    const part = open.get(name)?.settings;
    if ((settings === undefined) !== (part === undefined)) {
      throw new Error(`the settings of ${name} are declared and not opened, or opened and not declared`);
    }
    if (settings && part) settingsParts.push({ name: settings.name, part });
  }
  refuseUnmatched(house, [...open.values()]);
  whole = true;
  scopeOf = readScopes();
  return {
    offer,
    routeOf: parts.routeOf,
    uploadRouteOf(operationId) {
      const found = openRoutes().find((route) => route.kind === 'upload' && route.operation.operationId === operationId);
      if (found?.kind !== 'upload') throw new Error(`no feature that is open takes a file by ${operationId}`);
      return found;
    },
    scopeOf,
    routes: [...open].flatMap(([feature, { routes = [] }]) => (routes.length > 0 ? [{ feature, routes }] : [])),
    sweeps: sweeps(),
    handlers: [...open.values()].flatMap((one) => one.handlers ?? []),
    loops: [...open.values()].flatMap((one) => one.loops ?? []),
    start() {
      for (const one of open.values()) one.start?.();
    },
    async close() {
      for (const one of [...open.values()].toReversed()) await one.close?.();
    },
  };
}

/** A sweep that nobody asks for never runs, and one that is asked for must be there; so it is with settings. */
function refuseUnmatched({ features }: House, open: readonly Opened<unknown>[]): void {
  const due = features.flatMap((feature) => Object.keys(feature.due ?? {}));
  const sweeps = open.flatMap((one) => (one.sweeps ?? []).map(({ name }) => name));
  const faults = [
    ...sweeps
      .filter((name) => !due.includes(name))
      .map((name) => `the sweep ${name} has no \`due\` in its feature's description`),
    ...due
      .filter((name) => !sweeps.includes(name))
      .map((name) => `nobody has the sweep ${name}, which a description says is due`),
  ];
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

/** Those that seal or sum up what the others do come last. */
function inOrder(sweeps: readonly Sweep[]): Sweep[] {
  return [...sweeps.filter(({ last }) => !last), ...sweeps.filter(({ last }) => last)];
}

/** Every scope of an API key, in the order of the document. */
export function scopesOf({ features }: House): string[] {
  return placeScopes(features.flatMap(({ scopes = {} }) => Object.keys(scopes)));
}

/** The same with those that people alone have, which come last. */
export function allScopesOf(house: House): string[] {
  return [...scopesOf(house), ...house.features.flatMap(({ peopleScopes = {} }) => Object.keys(peopleScopes))];
}

/** The sections of the document, each with what it is about, in its order. */
export function groupsOf({ features }: House): Record<string, string> {
  const groups = Object.assign({}, ...features.map((feature) => feature.groups ?? {})) as Record<string, string>;
  return Object.fromEntries(placeGroups(Object.keys(groups)).map((name) => [name, groups[name] ?? '']));
}

export function envOf({ features }: House): EnvShape {
  return Object.assign({}, ...features.map(({ env = {} }) => env)) as EnvShape;
}

/** Every error code with its status and meaning, in the order of the document. */
export function errorsOf({ features }: House): Record<string, CodeRow> {
  const rows: Record<string, CodeRow> = { ...ERROR_CODES };
  for (const { errors = {} } of features) {
    for (const { code, status, meaning } of Object.values(errors)) rows[code] = { status, meaning };
  }
  const codes = placeErrors(Object.keys(rows));
  const sorted = codes.toSorted((a, b) => (rows[a]?.status ?? 0) - (rows[b]?.status ?? 0));
  return Object.fromEntries(sorted.flatMap((code) => (rows[code] ? [[code, rows[code]]] : [])));
}

export function constraintsOf({ features }: House): Constraints {
  return Object.assign({}, ...features.map(({ constraints = {} }) => constraints)) as Constraints;
}

export function auditsOf({ features }: House): Audit[] {
  return features.flatMap(({ audits = [] }) => audits);
}

export function jobsOf({ features }: House): JobDeclaration[] {
  return features.flatMap(({ jobs = [] }) => jobs);
}

export function faultPointsOf({ features }: House): string[] {
  return features.flatMap(({ faultPoints = [] }) => faultPoints);
}

/** All that tenants are told of, by type, in the order of the features. */
export function eventsOf({ features }: House): ReadonlyMap<string, DeclaredEvent> {
  return new Map(features.flatMap(({ events = {} }) => Object.entries(events)));
}

export function personalOf({ features }: House): Personal[] {
  return features.flatMap(({ personal }) => personal ?? []);
}

export function sealedOf({ features }: House): Sealed[] {
  return features.flatMap(({ sealed = [] }) => sealed);
}

export function settingsOf({ features }: House): SettingsDeclaration[] {
  return features.flatMap(({ settings }) => settings ?? []);
}
