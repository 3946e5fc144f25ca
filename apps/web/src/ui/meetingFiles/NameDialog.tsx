import { useState } from 'react';
import { api } from '../../lib/api/index.ts';
import { sentenceOf } from '../../lib/api/error.ts';
import { Button } from '../Button.tsx';
import { FilesFrame } from './FilesFrame.tsx';
import { TextField } from '../TextField.tsx';
import { useFileChange } from './queries.ts';
import { useT } from './texts.ts';

interface NameDialogProps {
  meetId: string;
  /** Where a new folder is made. */
  parentId?: string | null;
  /** What is renamed; missing for a new folder. */
  renamed?: { kind: 'file' | 'folder'; id: string; name: string };
  onClose: () => void;
}

/** Names a new folder, or renames a file or folder. */
export function NameDialog({ meetId, parentId = null, renamed, onClose }: NameDialogProps) {
  const t = useT();
  const [name, setName] = useState(renamed?.name ?? '');
  const [isMissing, setMissing] = useState(false);
  const change = useFileChange(meetId, () => {
    if (!renamed) return api.meetingFiles.createFolder({ body: { meetId, parentId, name } });
    const args = { params: { id: renamed.id }, body: { name } };
    return renamed.kind === 'file' ? api.meetingFiles.change(args) : api.meetingFiles.renameFolder(args);
  });
  const save = () => {
    setMissing(name.trim() === '');
    if (name.trim() !== '') change.mutate(undefined, { onSuccess: onClose });
  };
  const failure = change.error === null ? undefined : (sentenceOf(change.error) ?? '');
  return (
    <FilesFrame title={t(renamed ? 'name.rename' : 'name.new')} testId="files-name" onClose={onClose}>
      <form
        className="meeting-files-name"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextField
          label={t('name.label')}
          value={name}
          maxLength={120}
          data-focus
          data-testid="files-name-input"
          error={isMissing ? t('name.missing') : failure}
          onChange={(event) => setName(event.target.value)}
        />
        <Button kind="primary" type="submit" busy={change.isPending} data-testid="files-name-save">
          {t('name.save')}
        </Button>
      </form>
    </FilesFrame>
  );
}
