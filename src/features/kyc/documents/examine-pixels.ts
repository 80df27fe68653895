/** A picture that is small as a file and enormous as pixels would exhaust whoever opens it. */
const MAX_PIXELS = 100_000_000;

/** What is wrong with a picture of this size; undefined when nothing is. */
export function examinePixels(width: number, height: number): string | undefined {
  if (width === 0 || height === 0) return 'is a picture without width or height';
  return width * height > MAX_PIXELS ? 'is a picture of more than 100 megapixels' : undefined;
}
