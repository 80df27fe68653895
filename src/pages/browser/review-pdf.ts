/**
 * Draws the pages of a PDF on canvases. pdf.js is loaded for the first one only, works in a worker, and evaluates nothing.
 * Source: docs/specification/pages.md#reviews.
 */
import type * as PdfJs from 'pdfjs-dist';

export interface OpenPdf {
  pages: number;
  /** Counted from 1. */
  draw(page: number): Promise<HTMLCanvasElement>;
  close(): void;
}

/** Sharp enough for small print on a page of A4, and far below what a canvas may have. */
const WIDTH = 1_600;
const MOST_PIXELS = 16_000_000;
const LONGEST_SIDE = 8_192;

let loading: Promise<typeof PdfJs> | undefined;

/** Served beside this module. */
function load(): Promise<typeof PdfJs> {
  loading ??= (async () => {
    const pdf = (await import(beside('pdf.js'))) as typeof PdfJs;
    pdf.GlobalWorkerOptions.workerSrc = beside('pdf.worker.js');
    return pdf;
  })();
  return loading;
}

function beside(name: string): string {
  return new URL(name, import.meta.url).href;
}

/** Throws what pdf.js does where it is none. */
export async function openPdf(data: Uint8Array): Promise<OpenPdf> {
  const pdf = await load();
  const task = pdf.getDocument({
    data,
    useWasm: false,
    wasmUrl: beside('.'),
    cMapUrl: beside('.'),
    standardFontDataUrl: beside('.'),
    // A style sheet of fonts of the reader's system would name ours too, which the policy keeps out.
    useSystemFonts: false,
    enableXfa: false,
    disableAutoFetch: true,
    stopAtErrors: false,
    useWorkerFetch: false,
    verbosity: 0,
  });
  const opened = await task.promise;
  return {
    pages: opened.numPages,
    async draw(nr) {
      const page = await opened.getPage(nr);
      const { width, height } = page.getViewport({ scale: 1 });
      const scale = Math.min(WIDTH / width, LONGEST_SIDE / height, Math.sqrt(MOST_PIXELS / (width * height)));
      const viewport = page.getViewport({ scale });
      const canvas = document.createElement('canvas');
      canvas.width = Math.max(1, Math.floor(viewport.width));
      canvas.height = Math.max(1, Math.floor(viewport.height));
      await page.render({ canvas, viewport, annotationMode: pdf.AnnotationMode.ENABLE }).promise;
      page.cleanup();
      return canvas;
    },
    close: () => void task.destroy(),
  };
}
