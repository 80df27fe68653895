/** Sends the file of a form to be imported, as it comes. */
import { invalidField } from '../../../errors.ts';
import type { ActionAnswer, PageContext } from '../../../pages/define-page.ts';
import type { FormValues } from '../../../pages/form-values.ts';
import { createImport } from '../../imports/imports-operations.ts';

/** VALIDATION_ERROR of the field `file` where none was chosen, or it is no CSV with the right columns. */
export async function sendFile(
  page: PageContext,
  { file }: FormValues,
  { kind, mode }: { kind: string | undefined; mode: string | undefined },
): Promise<ActionAnswer> {
  if (!file) throw invalidField('file', 'choose a CSV file');
  const query = { kind, mode, fileName: file.name.slice(0, 255) };
  const { id } = await page.invokeUpload(createImport, { query }, file);
  return { to: page.at(`/imports/${id}`), said: 'The file has arrived. Its rows are worked off now.' };
}
