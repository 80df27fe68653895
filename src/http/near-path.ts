/** What somebody may have meant by a path that is not there. */
import { nearName } from './near-name.ts';

/** Longer addresses are compared with none. */
const MOST_SEGMENTS = 12;

/**
 * Among `known`, paths such as `/api/v1/users/{user_id}`: the one that is the same but for the prefix, the case, the way
 * words are joined, a slash at the end, or a slip in one word. It is named as it is documented: nothing that was sent is shown.
 */
export function createNearPath(known: readonly string[], prefix: string): (sent: string) => string | undefined {
  const paths = [...new Set(known)].map((path) => ({ path, segments: segmentsOf(path) }));
  return (sent) => {
    const segments = segmentsOf(sent);
    if (segments.length === 0 || segments.length > MOST_SEGMENTS) return undefined;
    return nearest(segments) ?? nearest([...segmentsOf(prefix), ...segments]);
  };

  function nearest(sent: readonly string[]): string | undefined {
    const found = paths
      .filter(({ segments }) => segments.length === sent.length)
      .map(({ path, segments }) => ({ path, slips: slipsOf(sent, segments), places: segments.filter(isPlace).length }))
      .filter(({ slips }) => slips <= 1)
      .toSorted((one, other) => one.slips - other.slips || one.places - other.places);
    return found[0]?.path;
  }
}

const segmentsOf = (path: string): string[] => path.split('/').filter((one) => one !== '');

/** Where an id goes. */
const isPlace = (segment: string): boolean => segment.startsWith('{');

/** In how many words they differ by more than their case and joints; Infinity where one is another word. */
function slipsOf(sent: readonly string[], segments: readonly string[]): number {
  let slips = 0;
  for (const [index, segment] of segments.entries()) {
    const word = sent[index] ?? '';
    if (isPlace(segment) || word === segment) continue;
    if (nearName(word, [segment]) === undefined) return Infinity;
    slips++;
  }
  return slips;
}
