/** Rows of the form: levels, rules and ladders that are added, taken out and moved, in the fields and in the definition alike. */
import type { PlanDefinition } from '../../commissions/open/plan-definition.ts';
import { type Cells, toCells } from './plan-cells.ts';

export const ROWS = { levels: 50, rules: 50, ladders: 5 } as const;
export type RowsName = keyof typeof ROWS;

export interface Edited {
  cells: Cells;
  /** That the fields are drawn from. */
  from: PlanDefinition;
}

/** What a button asks for, as `add:rules`, `remove:levels:2` or `up:rules:1`; undefined where it is none of these. */
export function changeRows(asked: string, edited: Edited): Edited | undefined {
  const found = /^(add|remove|up):(levels|rules|ladders)(?::(\d{1,2}))?$/.exec(asked);
  if (!found) return undefined;
  const name = found[2] as RowsName;
  const index = Number(found[3] ?? -1);
  const { length } = edited.from[name];
  if (found[1] === 'add') return length < ROWS[name] ? added(edited, name) : edited;
  if (index < 0 || index >= length) return edited;
  if (found[1] === 'up') return index === 0 ? edited : reordered(edited, name, swapped(length, index));
  const left = reordered(edited, name, [...Array(length).keys()].toSpliced(index, 1));
  const isCounted = edited.from.levels.every(({ level }, at) => level === at + 1);
  return name === 'levels' && isCounted ? counted(left) : left;
}

function added({ cells, from }: Edited, name: RowsName): Edited {
  const { length } = from[name];
  const rows = [...from[name], newRow(from, name)];
  const grown = { ...from, [name]: rows };
  const drawn = Object.entries(toCells(grown)).filter(([cell]) => cell.startsWith(`${name}[${length}].`));
  return { from: grown, cells: { ...cells, ...Object.fromEntries(drawn) } };
}

function newRow(from: PlanDefinition, name: RowsName): object {
  if (name === 'levels') return { level: from.levels.length + 1, rateBps: 0 };
  const id = freeId(name === 'rules' ? 'rule' : 'ladder', from[name]);
  if (name === 'rules')
    return { id, levels: 'all', final: false, when: { fact: 'sale.type', in: ['one_time'] }, pay: { rateBps: 0 } };
  const steps = [
    { from: 0, rateBps: 0 },
    { from: 10, rateBps: 100 },
  ];
  return { id, measure: 'sales', ownPurchases: false, period: 'month', settle: 'next_sale', settleAfterDays: 10, steps };
}

function freeId(word: string, rows: readonly object[]): string {
  const taken = new Set(rows.map((row) => ('id' in row ? row.id : undefined)));
  let number = rows.length + 1;
  while (taken.has(`${word}-${number}`)) number += 1;
  return `${word}-${number}`;
}

function swapped(length: number, index: number): number[] {
  const order = [...Array(length).keys()];
  [order[index - 1], order[index]] = [index, index - 1];
  return order;
}

/** The rows in the order of the old numbers that are given; those not among them are gone. */
function reordered({ cells, from }: Edited, name: RowsName, order: readonly number[]): Edited {
  const others = Object.entries(cells).filter(([cell]) => !cell.startsWith(`${name}[`));
  const rows = order.flatMap((old, index) =>
    Object.entries(cells).flatMap(([cell, texts]) =>
      cell.startsWith(`${name}[${old}].`) ? [[`${name}[${index}].${cell.slice(cell.indexOf('].') + 2)}`, texts] as const] : [],
    ),
  );
  const all: readonly unknown[] = from[name];
  return { cells: Object.fromEntries([...others, ...rows]), from: { ...from, [name]: order.map((old) => all[old]) } };
}

function counted({ cells, from }: Edited): Edited {
  const levels = from.levels.map((level, index) => ({ ...level, level: index + 1 }));
  const numbers = levels.map(({ level }, index) => [`levels[${index}].level`, [`${level}`]] as const);
  return { cells: { ...cells, ...Object.fromEntries(numbers) }, from: { ...from, levels } };
}
