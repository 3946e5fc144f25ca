import type { RecordingDetail } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { sizeWords } from '../../../lib/sizeWords.ts';
import { Icon } from '../../../ui/icons.tsx';
import { recordingFiles } from '../queries.ts';
import { useT } from '../texts.ts';

/** The files that people sent in the meeting. */
export function Files({ files }: { files: RecordingDetail['files'] }) {
  const t = useT();
  const save = useMutation({ mutationFn: (id: string) => recordingFiles.save(id) });
  if (files.length === 0) return <p className="side-empty">{t('sideEmpty.files')}</p>;
  return (
    <ul className="files">
      {files.map(({ id, name, size }) => (
        <li key={id}>
          <button type="button" aria-label={t('saveFile', { name })} data-testid="file" onClick={() => save.mutate(id)}>
            <Icon name="download" />
            <span>
              {name}
              <small>{sizeWords(size)}</small>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
