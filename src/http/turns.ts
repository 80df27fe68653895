/** Work of one name is done a few at a time, in the order it came; work of other names goes on beside it. */

export interface Turns {
  take<T>(name: string, work: () => Promise<T>): Promise<T>;
}

interface Line {
  running: number;
  waiting: (() => void)[];
}

export function createTurns(atOnce: number): Turns {
  const lines = new Map<string, Line>();

  function lineOf(name: string): Line {
    const known = lines.get(name);
    if (known) return known;
    const line = { running: 0, waiting: [] };
    lines.set(name, line);
    return line;
  }

  return {
    async take(name, work) {
      const line = lineOf(name);
      if (line.running < atOnce) line.running += 1;
      else await new Promise<void>((resolve) => line.waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = line.waiting.shift();
        if (next) next();
        else line.running -= 1;
        if (line.running === 0) lines.delete(name);
      }
    },
  };
}
