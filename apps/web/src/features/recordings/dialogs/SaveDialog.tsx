import { EXPORT_HOURS, type RecordingDetail, type RecordingExport } from '@rmeet/contract';
import { useState } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { sizeWords } from '../../../lib/sizeWords.ts';
import { formatTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { Select } from '../../../ui/Select.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { useExportChanges, useExports, useRecording } from '../queries.ts';
import { useT, type RecordingTexts } from '../texts.ts';
import { RecordingDialog, type RecordingDialogProps } from './RecordingDialog.tsx';

/** Makes MP4 files of a recording, and saves them. */
export function SaveDialog({ recording, onClose }: RecordingDialogProps) {
  const t = useT();
  const detail = useRecording(recording.id);
  return (
    <RecordingDialog title={t('save.title')} testId="save-dialog" onClose={onClose}>
      <p className="recording-lead">{t('save.lead', { hours: EXPORT_HOURS })}</p>
      {detail.data ? (
        <NewExport recording={detail.data} />
      ) : detail.isPending ? (
        <Loading />
      ) : (
        <ErrorState retry={() => void detail.refetch()} />
      )}
      <Exports id={recording.id} />
    </RecordingDialog>
  );
}

/** What is in a file: the programme, or the sound or picture of one person. */
function contentWords({ kind, name }: Pick<RecordingExport, 'kind' | 'name'>, t: RecordingTexts): string {
  return kind === 'programme' ? t('track.programme') : t(`track.${kind}`, { name });
}

function NewExport({ recording: { id, tracks, edit, can } }: { recording: RecordingDetail }) {
  const t = useT();
  const { start } = useExportChanges(id);
  const [track, setTrack] = useState('programme');
  const [whole, setWhole] = useState(false);
  return (
    <form
      className="recording-form"
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate({ track, whole });
      }}
    >
      <label className="recording-field">
        <span>{t('save.what')}</span>
        <Select
          label={t('save.what')}
          value={track}
          options={tracks.map((one) => ({ value: one.id, label: contentWords(one, t) }))}
          onChange={setTrack}
          data-testid="save-track"
        />
      </label>
      {edit !== null && can.manage && (
        <label className="recording-check">
          <input
            type="checkbox"
            checked={whole}
            data-testid="save-whole"
            onChange={({ target }) => setWhole(target.checked)}
          />
          <span>{t('save.whole')}</span>
        </label>
      )}
      <div className="recording-buttons">
        <Button kind="primary" type="submit" busy={start.isPending} data-testid="save-start" data-focus>
          {t('save.start')}
        </Button>
      </div>
    </form>
  );
}

/** The files that the user has asked for. */
function Exports({ id }: { id: string }) {
  const t = useT();
  const list = useExports(id);
  if (list.isPending) return null;
  if (list.data === undefined) return <ErrorState retry={() => void list.refetch()} />;
  const { records } = list.data;
  if (records.length === 0) return null;
  return (
    <section className="exports" aria-label={t('save.files')}>
      <h3>{t('save.files')}</h3>
      <ul>
        {records.map((file) => (
          <ExportRow key={file.id} recordingId={id} file={file} />
        ))}
      </ul>
    </section>
  );
}

function ExportRow({ recordingId, file }: { recordingId: string; file: RecordingExport }) {
  const t = useT();
  const common = useTexts('common');
  const { cancel, save } = useExportChanges(recordingId);
  const { id, state, progress, bytes, createdAt } = file;
  const isMade = state === 'waiting' || state === 'running';
  const words = contentWords(file, t);
  return (
    <li data-testid="export" data-state={state}>
      <span>
        {words}
        <small>
          {[formatTime(createdAt), t(`exportState.${state}`), ...(bytes === null ? [] : [sizeWords(bytes)])].join(
            ' · ',
          )}
        </small>
        {isMade && <progress value={progress} max={1} aria-label={t('save.progress', { name: words })} />}
      </span>
      {state === 'ready' && (
        <Button
          kind="primary"
          busy={save.isPending}
          aria-label={t('save.downloadOf', { name: words })}
          data-testid="export-download"
          onClick={() => save.mutate(id)}
        >
          <Icon name="download" size={16} />
          {t('save.download')}
        </Button>
      )}
      <Button
        kind="quiet"
        busy={cancel.isPending}
        aria-label={t(isMade ? 'save.cancelOf' : 'save.deleteOf', { name: words })}
        data-testid={isMade ? 'export-cancel' : 'export-delete'}
        onClick={() => cancel.mutate(id)}
      >
        {isMade ? common('cancel') : t('save.delete')}
      </Button>
    </li>
  );
}
