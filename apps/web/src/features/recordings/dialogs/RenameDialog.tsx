import { useState } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { toast } from '../../../lib/notify.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { useRecordingChange } from '../queries.ts';
import { useT } from '../texts.ts';
import { RecordingDialog, type RecordingDialogProps } from './RecordingDialog.tsx';

/** Gives a recording another name. */
export function RenameDialog({ recording, onClose }: RecordingDialogProps) {
  const t = useT();
  const common = useTexts('common');
  const change = useRecordingChange(recording.id);
  const [subject, setSubject] = useState(recording.subject);
  const isEmpty = subject.trim() === '';
  const save = () => {
    if (isEmpty) return;
    change.mutate(
      { subject: subject.trim() },
      {
        onSuccess: () => {
          toast('success', () => t('renamed'));
          onClose();
        },
      },
    );
  };
  return (
    <RecordingDialog title={t('action.rename')} testId="rename-dialog" onClose={onClose}>
      <form
        className="recording-form"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextField
          label={t('column.subject')}
          value={subject}
          maxLength={200}
          error={isEmpty ? t('nameNeeded') : undefined}
          data-focus
          data-testid="rename-subject"
          onChange={(event) => setSubject(event.target.value)}
        />
        <div className="recording-buttons">
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button kind="primary" type="submit" busy={change.isPending} disabled={isEmpty} data-testid="rename-save">
            {common('save')}
          </Button>
        </div>
      </form>
    </RecordingDialog>
  );
}
