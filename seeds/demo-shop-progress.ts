/** Progress for a person: one line that changes on a terminal, a line each tenth elsewhere. */
import { formatCount } from './demo-shop-text.ts';

export interface Progress {
  /** Names what is being done from now on. */
  phase(name: string): void;
  tick(): void;
  /** A line of its own, above the changing one. */
  note(text: string): void;
  /** Leaves the last state on the screen. */
  end(): void;
}

const REDRAW_MS = 80;
const BAR = 24;

export function createProgress(total: number, out: NodeJS.WriteStream = process.stdout): Progress {
  const started = performance.now();
  let done = 0;
  let name = '';
  let drawnAt = 0;
  let tenth = 0;

  function draw(): void {
    drawnAt = performance.now();
    const filled = Math.round((BAR * done) / Math.max(1, total));
    out.write(`\r  [${'#'.repeat(filled)}${'.'.repeat(BAR - filled)}] ${percent()}  ${counted()}  ${name}\x1b[K`);
  }
  const percent = (): string => `${String(Math.floor((100 * done) / Math.max(1, total))).padStart(3)} %`;
  const counted = (): string => `${formatCount(done).padStart(formatCount(total).length)} of ${formatCount(total)} calls`;

  return {
    phase(next) {
      name = next;
      if (out.isTTY) draw();
    },
    tick() {
      done++;
      if (out.isTTY) {
        if (performance.now() - drawnAt > REDRAW_MS) draw();
      } else if (Math.floor((10 * done) / total) > tenth) {
        tenth = Math.floor((10 * done) / total);
        out.write(`  ${percent()}  ${counted()}  ${name}\n`);
      }
    },
    note(text) {
      out.write(out.isTTY ? `\r\x1b[K  ${text}\n` : `  ${text}\n`);
      if (out.isTTY) draw();
    },
    end() {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      if (out.isTTY) {
        draw();
        out.write('\n');
      }
      out.write(`  ${formatCount(done)} calls in ${seconds} s\n`);
    },
  };
}
