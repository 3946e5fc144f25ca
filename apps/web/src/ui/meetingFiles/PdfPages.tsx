import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
// oxlint-disable-next-line import/default -- the build makes it an address
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Loading } from '../states.tsx';
import { useT } from './texts.ts';

GlobalWorkerOptions.workerSrc = workerUrl;

/** Widest picture of a page, CSS pixels; sharper on screens with more pixels, up to twice. */
const WIDEST = 1_000;
const SHARPEST = 2;

/** The pages of a PDF, drawn when they come into sight. Its scripts and forms are ignored. */
export function PdfPages({ url, onFail }: { url: string; onFail: () => void }) {
  const t = useT();
  const [pdf, setPdf] = useState<PDFDocumentProxy | null>(null);
  const fail = useEffectEvent(onFail);
  useEffect(() => {
    const loading = getDocument({ url, enableXfa: false, useWasm: false });
    let isOver = false;
    const load = async (): Promise<void> => {
      try {
        const loaded = await loading.promise;
        if (!isOver) setPdf(loaded);
      } catch {
        if (!isOver) fail();
      }
    };
    void load();
    return () => {
      isOver = true;
      void loading.destroy();
    };
  }, [url]);
  if (pdf === null) return <Loading />;
  return (
    <div className="meeting-files-pdf" data-testid="shown-pdf">
      <p>{t('preview.pages', { count: pdf.numPages })}</p>
      {Array.from({ length: pdf.numPages }, (_, i) => (
        <PdfPage key={i} pdf={pdf} number={i + 1} />
      ))}
    </div>
  );
}

function PdfPage({ pdf, number }: { pdf: PDFDocumentProxy; number: number }) {
  const t = useT();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const watcher = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      watcher.disconnect();
      // A page that cannot be drawn stays white; the others can still be read.
      draw(pdf, number, element).catch(() => undefined);
    });
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [pdf, number]);
  return <canvas ref={canvas} role="img" aria-label={t('preview.page', { page: number })} />;
}

async function draw(pdf: PDFDocumentProxy, number: number, canvas: HTMLCanvasElement): Promise<void> {
  const page = await pdf.getPage(number);
  const own = page.getViewport({ scale: 1 });
  const width = Math.min(WIDEST, canvas.parentElement?.clientWidth ?? WIDEST);
  const viewport = page.getViewport({ scale: (width / own.width) * Math.min(SHARPEST, devicePixelRatio) });
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  await page.render({ canvas, viewport }).promise;
}
