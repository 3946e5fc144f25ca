import { MEETING_FILE_LIMITS, type MeetingDocument } from '@rmeet/contract';
import { lazy, Suspense, useState } from 'react';
import { reportError } from '../../lib/api/index.ts';
import { sentenceOf } from '../../lib/api/error.ts';
import { loadChunk } from '../../lib/chunks.ts';
import { download } from '../../lib/download.ts';
import { Button } from '../Button.tsx';
import { FilesFrame } from './FilesFrame.tsx';
import { Icon } from '../icons.tsx';
import { Loading } from '../states.tsx';
import { pathOfFile } from './paths.ts';
import { usePreview, useShownText } from './queries.ts';
import { useT } from './texts.ts';

const PdfPages = lazy(() => loadChunk(async () => ({ default: (await import('./PdfPages.tsx')).PdfPages })));

/** A file as the page can show it: picture, PDF, text, video or sound. Nothing in it is executed. */
export function PreviewDialog({ file, onClose }: { file: MeetingDocument; onClose: () => void }) {
  const t = useT();
  const { data, error } = usePreview(file.id);
  const [hasFailed, setFailed] = useState(false);
  const failure = hasFailed ? t('preview.failed') : error && (sentenceOf(error) ?? t('preview.failed'));
  return (
    <FilesFrame title={t('preview.title', { name: file.name })} testId="file-preview-dialog" wide onClose={onClose}>
      <div className="meeting-files-preview">
        {failure !== null && <p role="alert">{failure}</p>}
        {failure === null && !data && <Loading />}
        {failure === null && data?.state === 'converting' && <p role="status">{t('preview.converting')}</p>}
        {failure === null && data?.state === 'ready' && (
          <Shown file={file} as={data.as} url={data.url} onFail={() => setFailed(true)} />
        )}
      </div>
      <footer className="meeting-files-tools">
        <Button
          kind="primary"
          data-testid="preview-download"
          onClick={() => void download(pathOfFile(file.id)).catch(reportError)}
        >
          <Icon name="download" />
          {t('preview.download')}
        </Button>
      </footer>
    </FilesFrame>
  );
}

interface ShownProps {
  file: MeetingDocument;
  as: 'picture' | 'pdf' | 'text' | 'video' | 'audio';
  url: string;
  onFail: () => void;
}

function Shown({ file, as, url, onFail }: ShownProps) {
  const { name } = file;
  if (as === 'picture') return <img src={url} alt={name} data-testid="shown-picture" onError={onFail} />;
  if (as === 'video')
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- files have no captions of their own
    return <video src={url} controls preload="metadata" aria-label={name} data-testid="shown-video" onError={onFail} />;
  if (as === 'audio')
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- files have no captions of their own
    return <audio src={url} controls preload="metadata" aria-label={name} data-testid="shown-audio" onError={onFail} />;
  if (as === 'text') return <ShownText file={file} url={url} />;
  return (
    <Suspense fallback={<Loading />}>
      <PdfPages url={url} onFail={onFail} />
    </Suspense>
  );
}

function ShownText({ file, url }: { file: MeetingDocument; url: string }) {
  const t = useT();
  const { data, isError } = useShownText(url);
  if (isError) return <p role="alert">{t('preview.failed')}</p>;
  if (data === undefined) return <Loading />;
  return (
    <>
      <pre tabIndex={0} role="region" aria-label={file.name} data-testid="shown-text">
        {data}
      </pre>
      {file.size > MEETING_FILE_LIMITS.text && <p>{t('preview.cut')}</p>}
    </>
  );
}
