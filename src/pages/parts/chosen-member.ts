/** The member that a filter or a form names: by an id, the whole of an email, an id of the tenant's own, or a name. */
import type { NamedMember } from './member-names.ts';

export interface ChosenMember {
  /** Undefined where nobody is named, and where nobody is found. */
  id: string | undefined;
  /** Something was typed, and it is nobody's, or more than one member's. */
  isUnknown: boolean;
}

type Find = (query: Readonly<Record<string, string>>) => Promise<{ data: readonly NamedMember[] } | undefined>;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** `find` asks for members, and answers undefined where the role may not see any: then an id alone names one. */
export async function chosenMember(typed: string | undefined, find: Find): Promise<ChosenMember> {
  const text = typed?.trim() ?? '';
  if (text === '') return { id: undefined, isUnknown: false };
  if (UUID.test(text)) return { id: text.toLowerCase(), isUnknown: false };
  const places = text.includes('@') ? ['email', 'externalId'] : ['externalId', 'name', 'email'];
  for (const place of places) {
    const found = (await find({ [place]: text, limit: '2' }))?.data ?? [];
    const whole = found.filter(({ name, email }) => [name, email].some((one) => one?.toLowerCase() === text.toLowerCase()));
    const [one] = whole.length === 1 ? whole : found;
    if (one && (found.length === 1 || whole.length === 1)) return { id: one.id, isUnknown: false };
  }
  return { id: undefined, isUnknown: true };
}
