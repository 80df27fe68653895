/** The image is read back by a decoder: from the modules that it draws. */
import { decodeQR } from 'qr/decode.js';
import { expect, test } from 'vitest';
import { drawQr } from '../../src/documents/draw-qr.ts';

/** What a scanner sees: the paths of the image painted on a canvas, eight pixels a module. */
function paint(svg: string): { width: number; height: number; data: Uint8Array } {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
  const width = size * 8;
  const data = new Uint8Array(width * width * 4).fill(255);
  const runs = svg.slice(svg.lastIndexOf('<path')).matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g);
  for (const [, x, y, length] of runs) {
    for (let row = Number(y) * 8; row < Number(y) * 8 + 8; row++) {
      for (let column = Number(x) * 8; column < (Number(x) + Number(length)) * 8; column++) {
        data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
      }
    }
  }
  return { width, height: width, data };
}

test.each(['http://localhost:3000/r/abcd23456789', `https://${'a'.repeat(60)}.shop.example/r/abcd23456789`])('%s', (url) => {
  expect(decodeQR(paint(drawQr(url)))).toBe(url);
});

test('the image is small, white behind, and has four modules of margin', () => {
  const svg = drawQr('https://links.shop.example/r/abcd23456789');
  expect(svg).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 (\d+) \1"[^<]*><path fill="#fff" d="M0 0h\1v\1H0z"\/>/,
  );
  expect(svg.length).toBeLessThan(8_192);
  const size = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
  const spots = [...svg.matchAll(/M(\d+) (\d+)h(\d+)v1/g)].map(
    ([, x, y, length]) => [Number(x), Number(y), Number(length)] as const,
  );
  expect(spots.length).toBeGreaterThan(100);
  for (const [x, y, length] of spots) {
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(4);
    expect(Math.max(x + length, y + 1)).toBeLessThanOrEqual(size - 4);
  }
});
