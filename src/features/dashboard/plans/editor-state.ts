/** What the plan editor holds between two requests: the fields or the JSON, and the definition that they say. */
import { type FieldFault, invalidField } from '../../../errors.ts';
import type { FormValues } from '../../../pages/form-values.ts';
import type { PlanDefinition } from '../../commissions/open/plan-definition.ts';
import { toCells } from './plan-cells.ts';
import { changeRows, type Edited } from './plan-rows.ts';
import { checkedPlan, type ReadPlan, readCells, readJson } from './read-cells.ts';

export interface EditorState {
  tab: 'form' | 'json';
  edited: Edited;
  /** What stands in the field of the JSON. */
  json: string;
  /** Undefined where something cannot be read. */
  definition: PlanDefinition | undefined;
  /** By paths of the definition, or names of fields. */
  faults: readonly FieldFault[];
  /** Other than the stored draft. */
  isUnsaved: boolean;
}

export function stateOf(definition: PlanDefinition, more: Partial<EditorState> = {}): EditorState {
  return {
    tab: 'form',
    edited: { cells: toCells(definition), from: definition },
    json: JSON.stringify(definition, null, 2),
    definition,
    faults: [],
    isUnsaved: false,
    ...more,
  };
}

/** What the form holds, and what its button asked of it: `add:rules`, `tab:json`, … VALIDATION_ERROR of a form that is not whole. */
export function readState(form: FormValues): EditorState {
  const { definition: from } = readJson(form.raw('from'));
  if (!from) throw invalidField('', 'The form is not whole. Open the page again.');
  const asked = form.raw('deed');
  const cells = { ...form.all };
  if (form.raw('tab') === 'json') {
    const json = form.raw('json').replaceAll('\r\n', '\n');
    const read = readJson(json);
    return afterReading(read, { tab: 'json', json, edited: { cells: toCells(from), from }, asked });
  }
  const edited = changeRows(asked, { cells, from }) ?? { cells, from };
  return afterReading(checkedFrom(edited), { tab: 'form', json: '', edited, asked });
}

function checkedFrom(edited: Edited): ReadPlan {
  const whole = checkedPlan(edited.from);
  return whole.definition ? readCells(edited.cells, whole.definition) : whole;
}

/** A definition that was read is drawn anew; one that was not stays as it was typed, in the tab that it was typed in. */
function afterReading(
  { definition, faults }: ReadPlan,
  { tab, json, edited, asked }: { tab: EditorState['tab']; json: string; edited: Edited; asked: string },
): EditorState {
  if (!definition) return { tab, json, edited, definition, faults, isUnsaved: true };
  const next = asked === 'tab:json' ? 'json' : asked === 'tab:form' ? 'form' : tab;
  return stateOf(definition, { tab: next, isUnsaved: true });
}
