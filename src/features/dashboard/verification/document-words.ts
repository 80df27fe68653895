/** What documents are called, and how large a file is. */
import { REQUIRED_DOCUMENTS } from '../../kyc/open/kyc-states.ts';

const LABELS: Readonly<Record<string, string>> = Object.fromEntries(
  REQUIRED_DOCUMENTS.map(({ documentType, label }) => [documentType, label]),
);

/** `government_id_front` is "Government ID, front". */
export function documentWords(documentType: string): string {
  return LABELS[documentType] ?? documentType.replaceAll('_', ' ');
}

export function sizeWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** How long somebody has waited: the largest unit, rounded down. */
export function waitedWords(seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ] as const;
  for (const [unit, size] of units) {
    const count = Math.floor(seconds / size);
    if (count >= 1) return `${count} ${unit}${count === 1 ? '' : 's'}`;
  }
  return 'less than a minute';
}
