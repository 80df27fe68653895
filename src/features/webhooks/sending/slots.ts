/** So many at once, and one of each tenant; who comes later waits in line. */
export interface Slots {
  run<T>(tenantId: string, work: () => Promise<T>): Promise<T>;
}

export function createSlots(most: number): Slots {
  const waiting: { tenantId: string; begin: () => void }[] = [];
  const running = new Set<string>();

  function pump(): void {
    while (running.size < most) {
      const index = waiting.findIndex(({ tenantId }) => !running.has(tenantId));
      const [next] = index < 0 ? [] : waiting.splice(index, 1);
      if (!next) return;
      running.add(next.tenantId);
      next.begin();
    }
  }

  return {
    async run(tenantId, work) {
      await new Promise<void>((begin) => {
        waiting.push({ tenantId, begin });
        pump();
      });
      try {
        return await work();
      } finally {
        running.delete(tenantId);
        pump();
      }
    },
  };
}
