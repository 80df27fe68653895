/** Reasons that reviewers choose from. The member reads them as they stand here. */

/** Why a document is refused, and why one is asked for again. */
export const DOCUMENT_REASONS = [
  'The picture is blurred or too small to read',
  'A part of the document is cut off or covered',
  'The document has expired',
  'It is another document than the one that was asked for',
  'The name on the document is not the one that was stated',
  'The selfie does not show the person on the document',
  'The document was changed, or it is a picture of a screen',
] as const;

/** Why a verification as a whole is rejected. */
export const REJECT_REASONS = [
  'The documents are not those of the person who was stated',
  'A document was changed or is not genuine',
  'This person has another account already',
  'This person is too young',
  'Documents of this country are not accepted here',
] as const;

/** What the member is told: the reason from the list, and the reviewer's own words behind it. */
export function reasonOf(listed: string | undefined, own: string | undefined): string {
  if (listed === undefined || own === undefined) return listed ?? own ?? '';
  return `${listed.replace(/\.$/, '')}. ${own}`;
}
