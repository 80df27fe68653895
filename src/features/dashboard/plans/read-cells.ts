/** The definition that the fields of a form say, of the one that they were drawn from. A pure function. */
import type { FieldFault } from '../../../errors.ts';
import { toFieldFaults } from '../../../http/field-faults.ts';
import { type PlanDefinition, planDefinition } from '../../commissions/open/plan-definition.ts';
import { amountsOf, CellFault, linesOf, payOf, percentOf, stepsOf, thousandthsOf, wholeOf, wholesOf } from './cell-texts.ts';
import { type Cells, tierNames, toCells } from './plan-cells.ts';

/** A definition, or what is wrong with it, by the names of fields or by paths of the definition. */
export type ReadPlan = { definition: PlanDefinition; faults: readonly [] } | { definition: undefined; faults: FieldFault[] };

/** A field that says what it was drawn with keeps its value, also where no text can say it. */
export function readCells(cells: Cells, from: PlanDefinition): ReadPlan {
  const drawn = toCells(from);
  const faults: FieldFault[] = [];
  const raw = (name: string): string => cells[name]?.[0] ?? '';
  const isAsDrawn = (name: string): boolean => asSent(raw(name)) === asSent(drawn[name]?.[0] ?? '');
  function read<Value>(name: string, value: Value, parse: (text: string) => Value): Value {
    if (isAsDrawn(name)) return value;
    try {
      return parse(raw(name));
    } catch (error) {
      if (!(error instanceof CellFault)) throw error;
      faults.push({ field: name, message: error.message });
      return value;
    }
  }
  const orNone =
    <Value>(parse: (text: string) => Value) =>
    (text: string): Value | null =>
      text.trim() === '' ? null : parse(text);
  const list =
    (stored: readonly string[] | null) =>
    (text: string): string[] | null => {
      if (stored?.some((entry) => !isLine(entry)))
        throw new CellFault('has an entry that no line can say: put it back as it was, and edit it as JSON');
      return linesOf(text).length === 0 ? null : linesOf(text);
    };
  const checked = (name: string): boolean => cells[name] !== undefined;

  const { qualification, recurring, holding, caps, fx, reversal, overrides, scope } = from;
  const levels = from.levels.map((level, index) => {
    const pays = `levels[${index}].pays`;
    const { rateBps, flatMinor, ladder } = level;
    return {
      level: read(`levels[${index}].level`, level.level, wholeOf),
      ...defined(read(pays, { rateBps, flatMinor, ladder }, payOf)),
    };
  });
  const tierRules = tierNames(from).flatMap((tier, index) => {
    const at = `tiers[${index}]`;
    const before = from.tierRules[tier];
    // A tier has a rule where its row says how deep.
    if (raw(`${at}.maxDepth`).trim() === '' && !(before && isAsDrawn(`${at}.maxDepth`))) {
      if (raw(`${at}.rateBps`).trim() !== '')
        faults.push({ field: `${at}.maxDepth`, message: 'must say how deep the tier is paid' });
      return [];
    }
    const rule = {
      multiplierMilli: read(`${at}.multiplierMilli`, before?.multiplierMilli ?? 1000, (text) =>
        text.trim() === '' ? 1000 : thousandthsOf(text),
      ),
      maxDepth: read(`${at}.maxDepth`, before?.maxDepth ?? 256, wholeOf),
      rateBps: read(`${at}.rateBps`, before?.rateBps ?? null, orNone(percentOf)) ?? undefined,
    };
    return [[tier, defined(rule)] as const];
  });
  const rules = from.rules.map((rule, index) => {
    const at = `rules[${index}]`;
    return {
      id: read(`${at}.id`, rule.id, (text) => text.trim()),
      levels: read<unknown>(`${at}.levels`, rule.levels, (text) =>
        text.trim().toLowerCase() === 'all' ? 'all' : wholesOf(text),
      ),
      final: checked(`${at}.final`),
      when: read<unknown>(`${at}.when`, rule.when, jsonOf),
      pay: defined(read(`${at}.pay`, rule.pay, payOf)),
    };
  });
  const ladders = from.ladders.map((ladder, index) => {
    const at = `ladders[${index}]`;
    const measure = raw(`${at}.measure`);
    const steps = (text: string) => stepsOf(text, measure);
    return {
      id: read(`${at}.id`, ladder.id, (text) => text.trim()),
      measure,
      ownPurchases: checked(`${at}.ownPurchases`),
      period: raw(`${at}.period`),
      settle: raw(`${at}.settle`),
      settleAfterDays: read(`${at}.settleAfterDays`, ladder.settleAfterDays, wholeOf),
      steps: read<unknown>(`${at}.steps`, ladder.steps, steps),
    };
  });
  const agreed = {
    levels: read('overrides.levels', overrides?.levels ?? [1], wholesOf),
    maxRateBps: read('overrides.maxRateBps', overrides?.maxRateBps, (text) =>
      checked('overrides.on') ? percentOf(text) : undefined,
    ),
    maxFlatMinor: read('overrides.maxFlatMinor', overrides?.maxFlatMinor ?? {}, amountsOf),
  };
  const said = {
    ...from,
    mode: raw('mode'),
    base: raw('base'),
    levels,
    tierRules: Object.fromEntries(tierRules),
    qualification: {
      ...qualification,
      active: checked('qualification.active'),
      kycApproved: checked('qualification.kycApproved'),
      minPersonalSalesMinor: read('qualification.minPersonalSalesMinor', qualification.minPersonalSalesMinor, amountsOf),
      minActiveDirects: read('qualification.minActiveDirects', qualification.minActiveDirects, wholeOf),
    },
    compression: raw('compression'),
    personalPurchase: raw('personalPurchase'),
    recurring: {
      enabled: checked('recurring.enabled'),
      maxMonths: read('recurring.maxMonths', recurring.maxMonths, orNone(wholeOf)),
      maxEvents: read('recurring.maxEvents', recurring.maxEvents, orNone(wholeOf)),
    },
    holding: { days: read('holding.days', holding.days, wholeOf), appliesTo: raw('holding.appliesTo') },
    caps: {
      perEventPayoutBps: read('caps.perEventPayoutBps', caps.perEventPayoutBps, orNone(percentOf)),
      perMemberPeriodMinor: read('caps.perMemberPeriodMinor', caps.perMemberPeriodMinor, orNone(amountsOf)),
      perCustomerLifetimeMinor: read('caps.perCustomerLifetimeMinor', caps.perCustomerLifetimeMinor, orNone(amountsOf)),
    },
    fx: { ...fx, payCurrency: raw('fx.payCurrency') },
    reversal: {
      ...reversal,
      recoverAfterPayout: raw('reversal.recoverAfterPayout'),
      floorMinor: read('reversal.floorMinor', reversal.floorMinor, orNone(amountsOf)),
      writeOffAfterDays: read('reversal.writeOffAfterDays', reversal.writeOffAfterDays, orNone(wholeOf)),
    },
    minimumPayoutMinor: read('minimumPayoutMinor', from.minimumPayoutMinor, amountsOf),
    rules,
    ladders,
    overrides: checked('overrides.on') ? agreed : null,
    scope: {
      priority: read('scope.priority', scope.priority, wholeOf),
      types: typesOf(cells['scope.types'] ?? [], scope.types),
      skus: read('scope.skus', scope.skus, list(scope.skus)),
      groups: read('scope.groups', scope.groups, list(scope.groups)),
      categories: read('scope.categories', scope.categories, list(scope.categories)),
    },
  };
  return faults.length > 0 ? { definition: undefined, faults } : checkedPlan(said);
}

/** What somebody wrote as JSON. */
export function readJson(text: string): ReadPlan {
  try {
    return checkedPlan(jsonOf(text));
  } catch (error) {
    if (!(error instanceof CellFault)) throw error;
    return { definition: undefined, faults: [{ field: 'json', message: error.message }] };
  }
}

export function checkedPlan(said: unknown): ReadPlan {
  const parsed = planDefinition.safeParse(said);
  return parsed.success
    ? { definition: parsed.data, faults: [] }
    : { definition: undefined, faults: toFieldFaults(parsed.error) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new CellFault(`is not JSON: ${(error as Error).message}`);
  }
}

/** Browsers send other ends of lines than were drawn, drop the first of a text, and know no halves of a sign. */
const asSent = (text: string): string => text.toWellFormed().replaceAll(/\r\n?/g, '\n').replace(/^\n+/, '');

/** Whether a text is read from its own line as it is. */
function isLine(text: string): boolean {
  const lines = linesOf(text);
  return lines.length === 1 && lines[0] === text && text.isWellFormed();
}

/** Null is all. Boxes have an order of their own: the same ones stay in the order that was stored. */
function typesOf(checked: readonly string[], stored: readonly string[] | null): readonly string[] | null {
  const isSame = stored?.every((type) => checked.includes(type)) === true && checked.every((type) => stored.includes(type));
  return isSame ? stored : checked.length === 0 ? null : checked;
}

function defined<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;
}
