/** A QR code as an SVG image. */
import { encodeQR } from 'qr';

/** Modules of white around the code, without which readers do not find it. Source: ISO/IEC 18004. */
const QUIET_ZONE = 4;

/**
 * Dark on white whatever is behind it, each row in runs: module by module, edges between neighbours would show.
 * The second level of correction (15 %) outlives a crease or a small stain.
 */
export function drawQr(text: string): string {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  const size = rows.length;
  const dark = rows.flatMap((row, y) => runsOf(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`));
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${dark.join('')}"/></svg>`
  );
}

/** Where dark modules begin, and how many there are in a row. */
function runsOf(row: readonly boolean[]): [x: number, length: number][] {
  const runs: [number, number][] = [];
  for (let x = 0; x < row.length; x++) {
    const last = runs.at(-1);
    if (row[x] !== true) continue;
    if (last && last[0] + last[1] === x) last[1] += 1;
    else runs.push([x, 1]);
  }
  return runs;
}
