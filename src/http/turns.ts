/** Work of one name is done one after the other, in the order it came; work of other names goes on beside it. */

export interface Turns {
  take<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>();
  return {
    take(name, work) {
      const mine = (last.get(name) ?? Promise.resolve()).then(work);
      const over = mine.then(
        () => undefined,
        () => undefined,
      );
      last.set(name, over);
      void over.then(() => {
        if (last.get(name) === over) last.delete(name);
      });
      return mine;
    },
  };
}
