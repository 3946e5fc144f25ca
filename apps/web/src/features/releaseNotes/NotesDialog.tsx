import { UPGRADE_FREQUENCIES, type ReleaseNote, type UpgradeFrequency } from '@rmeet/contract';
import { useState } from 'react';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { PageDialog } from '../../ui/PageDialog.tsx';
import { Select } from '../../ui/Select.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { useAllReleaseNotes } from './queries.ts';
import './releaseNotes.css';

interface NotesDialogProps {
  notes: readonly ReleaseNote[];
  /** With when to show the notes again. */
  onClose: (frequency: UpgradeFrequency) => void;
}

/** The notes of new versions, and when to show them again. */
export function NotesDialog({ notes, onClose }: NotesDialogProps) {
  const t = useTexts('releaseNotes');
  const [frequency, setFrequency] = useState<UpgradeFrequency>('NEVER');
  return (
    <PageDialog title={t('titleNew')} testId="release-notes" onClose={() => onClose('EACH')}>
      <NoteList notes={notes} />
      <div className="release-notes-acts">
        <Select
          label={t('again')}
          value={frequency}
          options={UPGRADE_FREQUENCIES.map((value) => ({ value, label: t(`frequency.${value}`) }))}
          onChange={(chosen) => setFrequency(UPGRADE_FREQUENCIES.find((known) => known === chosen) ?? 'NEVER')}
          data-testid="release-notes-frequency"
        />
        <Button kind="primary" data-focus data-testid="release-notes-ok" onClick={() => onClose(frequency)}>
          {t('ok')}
        </Button>
      </div>
    </PageDialog>
  );
}

/** The notes of all versions. */
export function AllNotesDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts('releaseNotes');
  const { data, isPending, isError, refetch } = useAllReleaseNotes();
  return (
    <PageDialog title={t('title')} testId="release-notes-all" onClose={onClose}>
      {isPending && <Loading />}
      {isError && !data && <ErrorState retry={() => void refetch()} />}
      {data && <NoteList notes={data.records} />}
    </PageDialog>
  );
}

function NoteList({ notes }: { notes: readonly ReleaseNote[] }) {
  const t = useTexts('releaseNotes');
  const language = useLanguage();
  return (
    <div className="release-notes dialog-scroll" role="region" aria-label={t('title')} tabIndex={0}>
      {notes.map(({ version, date, changes }) => (
        <section key={version}>
          <h3>{t('version', { version, date })}</h3>
          <ul>
            {changes[language].map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
