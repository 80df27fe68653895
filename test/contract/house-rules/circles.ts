/** Who stands below the features, and circles among the files. An import of a type counts: it too says who knows whom. */
import { featureOf, type SourceFile } from './source-files.ts';

/** What features stand on, and what therefore knows none of them. */
const BELOW = /^src\/(vendors|db|http|jobs|doctor|documents|outgoing|house)\//;

/** `file -> feature's file` for everything below that imports a feature. */
export function featuresImportedBelow(sources: readonly SourceFile[]): string[] {
  return unique(
    sources
      .filter(({ name }) => BELOW.test(name))
      .flatMap(({ name, imports }) =>
        imports
          .filter(({ target }) => featureOf(target) !== undefined || target === 'src/features.ts')
          .map(({ target }) => `${name} -> ${target}`),
      ),
  );
}

/** Of each knot of files that import one another in circles the shortest circle, written `a -> b -> a`. */
export function shortestCircles(sources: readonly SourceFile[]): string[] {
  const graph = new Map(sources.map(({ name, imports }) => [name, unique(imports.map(({ target }) => target))]));
  const circles: string[][] = [];
  const knotted = new Set<string>();
  // The shortest way from each file back to itself, the shortest of all first.
  const ways = [...graph.keys()].flatMap((file) => {
    const way = wayBack(graph, file);
    return way ? [way] : [];
  });
  for (const way of ways.toSorted((a, b) => a.length - b.length)) {
    if (way.some((file) => knotted.has(file))) continue;
    circles.push(way);
    for (const file of way) knotted.add(file);
  }
  return circles.map((way) => way.join(' -> '));
}

function wayBack(graph: ReadonlyMap<string, readonly string[]>, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const file of queue) {
    for (const next of graph.get(file) ?? []) {
      if (next === start) {
        const way = [start];
        for (let at = file; at !== start; at = cameFrom.get(at) as string) way.unshift(at);
        return [start, ...way];
      }
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, file);
      queue.push(next);
    }
  }
  return undefined;
}

const unique = (words: readonly string[]): string[] => [...new Set(words)];
