/** Tells whether a reviewer is at work: the page is seen, and a key or the pointer was used lately. */

const LOOK_MS = 5_000;

/** Calls `fn` every few seconds while somebody is at work; nobody who has done nothing for `idleMs` is. */
export function whileAtWork(idleMs: number, fn: () => void): void {
  let workedAt = performance.now();
  for (const kind of ['keydown', 'pointerdown', 'pointermove', 'wheel']) {
    addEventListener(kind, () => (workedAt = performance.now()), { passive: true });
  }
  setInterval(() => {
    if (!document.hidden && performance.now() - workedAt < idleMs) fn();
  }, LOOK_MS);
}
