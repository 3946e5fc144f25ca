import type { MeetingFileList, MeetingUpload } from '@rmeet/contract';
import { useRef, useSyncExternalStore } from 'react';
import { reportError } from '../../lib/api/index.ts';
import { sentenceOf } from '../../lib/api/error.ts';
import { cancelUpload } from '../../lib/api/tus.ts';
import { toast } from '../../lib/notify.ts';
import { sizeWords } from '../../lib/sizeWords.ts';
import { Button } from '../Button.tsx';
import { FileName } from '../files/FileName.tsx';
import { IconButton } from '../IconButton.tsx';
import { useFileChange } from './queries.ts';
import { useT } from './texts.ts';
import { uploads, type PageUpload } from './uploads.ts';

const percentOf = (sent: number, size: number): number => Math.floor((sent / Math.max(1, size)) * 100);

/** The uploads of this page, and those that were broken off, which can be continued. */
export function UploadRows({ list }: { list: MeetingFileList }) {
  const t = useT();
  const own = useSyncExternalStore(uploads.subscribe, uploads.get).filter(({ meetId }) => meetId === list.meetId);
  const running = new Set(own.map(({ id }) => id));
  const left = list.uploads.filter(({ id }) => !running.has(id));
  if (own.length + left.length === 0) return null;
  return (
    <section className="meeting-files-uploads" aria-label={t('uploads.title')}>
      <ul>
        {own.map((upload) => (
          <Running key={upload.key} upload={upload} />
        ))}
        {left.map((upload) => (
          <Left key={upload.id} upload={upload} meetId={list.meetId} />
        ))}
      </ul>
    </section>
  );
}

function Progress({ name, sent, size }: { name: string; sent: number; size: number }) {
  const t = useT();
  const label = t('uploads.progress', { name, sent: sizeWords(sent), size: sizeWords(size) });
  return <progress max={Math.max(1, size)} value={sent} aria-label={label} title={label} />;
}

function Running({ upload }: { upload: PageUpload }) {
  const t = useT();
  const { key, name, sent, size, state, error } = upload;
  const words = {
    waiting: t('uploads.waiting'),
    sending: t('uploads.sending', { percent: percentOf(sent, size) }),
    failed: sentenceOf(error) ?? t('uploads.failed'),
  };
  return (
    <li data-testid="upload-row" data-state={state}>
      <FileName name={name} />
      <Progress name={name} sent={sent} size={size} />
      <small role={state === 'failed' ? 'alert' : undefined}>{words[state]}</small>
      {state === 'failed' && (
        <Button data-testid="upload-retry" onClick={() => uploads.retry(key)}>
          {t('uploads.retry')}
        </Button>
      )}
      <IconButton
        icon="close"
        label={t('uploads.cancel', { name })}
        data-testid="upload-cancel"
        onClick={() => void uploads.cancel(key).catch(reportError)}
      />
    </li>
  );
}

/** An upload of an earlier page: it goes on once the same file is chosen again. */
function Left({ upload, meetId }: { upload: MeetingUpload; meetId: string }) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const { id, name, received, size, folderId, fileId } = upload;
  const cancel = useFileChange(meetId, () => cancelUpload(id));
  const resume = (file: File | undefined) => {
    if (!file) return;
    if (file.size !== size) toast('warning', () => t('uploads.wrongFile', { name }));
    else uploads.add(file, { meetId, folderId, fileId }, id);
  };
  return (
    <li data-testid="upload-left">
      <FileName name={name} />
      <Progress name={name} sent={received} size={size} />
      <small>{`${t('uploads.stopped', { percent: percentOf(received, size) })} · ${t('uploads.resumeHint')}`}</small>
      <Button data-testid="upload-resume" onClick={() => input.current?.click()}>
        {t('uploads.resume')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('uploads.resume')}
        data-testid="upload-resume-input"
        onChange={(event) => resume(event.target.files?.[0])}
      />
      <IconButton
        icon="close"
        label={t('uploads.cancel', { name })}
        data-testid="upload-left-cancel"
        onClick={() => cancel.mutate(undefined)}
      />
    </li>
  );
}
