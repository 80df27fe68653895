/** Which fields of a form take secrets, as the form says itself: what was typed into them is not drawn again. Source: docs/specification/pages.md#forms. */
import type { FormValues } from '../../pages/form-values.ts';
import type { FormLook } from '../../pages/parts/form.ts';

/** What a form has beside its fields where some of them take secrets: their names and labels. */
export const SECRETS = '_secrets';

export interface SecretField {
  name: string;
  label: string;
}

/** The secret fields of a form that is drawn, as one text; empty where it has none. */
export function secretsOf(fields: FormLook['fields'] = []): string {
  return fields.flatMap((field) => (field && field.type === 'password' ? [`${field.name}\t${field.label}`] : [])).join('\n');
}

/** The secret fields of a form that was sent, as far as something was typed into them. */
export function typedSecrets(form: FormValues): SecretField[] {
  return form
    .raw(SECRETS)
    .split(/\r?\n/)
    .map((line) => line.split('\t'))
    .flatMap(([name = '', label = name]) => (name !== '' && form.raw(name) !== '' ? [{ name, label }] : []));
}
