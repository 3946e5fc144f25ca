import type { FileKind, StoredFile } from '@rmeet/contract';
import { lazy, Suspense, useState } from 'react';
import { isApiError, reportError } from '../../lib/api/index.ts';
import { loadChunk } from '../../lib/chunks.ts';
import type { FileSource } from '../../lib/files.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import { sizeWords } from '../../lib/sizeWords.ts';
import { IconButton } from '../IconButton.tsx';
import { Icon, type IconName } from '../icons.tsx';
import { partsOfName } from './FileName.tsx';
import { Thumbnail } from './Thumbnail.tsx';
import './files.css';

const PictureDialog = lazy(() =>
  loadChunk(async () => ({ default: (await import('./PictureDialog.tsx')).PictureDialog })),
);

/** Larger pictures are loaded when the user asks for them. */
const LOADED_UNASKED = 5 * 1024 * 1024;

const ICONS: Record<FileKind, IconName> = {
  picture: 'filePicture',
  document: 'log',
  media: 'play',
  archive: 'fileArchive',
  program: 'fileOther',
  other: 'fileOther',
};

export const iconOfFile = (kind: FileKind): IconName => ICONS[kind];

interface FileCardProps {
  file: StoredFile;
  source: FileSource;
  /** Pictures of moderate size are loaded as soon as they are in sight. */
  loadsPictures: boolean;
}

/** A file that was sent: its picture, or an icon; name, size, and the button that saves it. */
export function FileCard({ file, source, loadsPictures }: FileCardProps) {
  const t = useTexts('common');
  const [isOpen, setOpen] = useState(false);
  const save = () => void source.save(file.id).catch((error: unknown) => tell(error, () => t('files.gone')));
  return (
    <div className="file-card" data-testid="file-card">
      {file.picture && (
        <Thumbnail
          file={{ ...file, picture: file.picture }}
          source={source}
          isUnasked={loadsPictures && file.size <= LOADED_UNASKED}
          onOpen={() => setOpen(true)}
        />
      )}
      <div className="file-card-row">
        {!file.picture && (
          <span className="file-card-icon">
            <Icon name={iconOfFile(file.kind)} />
          </span>
        )}
        <span className="file-card-words">
          <span className="file-card-name" title={file.name}>
            {file.name}
          </span>
          <small>{[endingOf(file.name), sizeWords(file.size)].filter(Boolean).join(' · ')}</small>
        </span>
        <IconButton
          icon="download"
          label={t('files.save', { name: file.name })}
          title={t('files.saveShort')}
          data-testid="file-save"
          onClick={save}
        />
      </div>
      {isOpen && (
        <Suspense>
          <PictureDialog file={file} source={source} onSave={save} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** The ending of a name as it is shown beside the size, because a long name may be cut: `PDF`. */
const endingOf = (name: string): string => partsOfName(name)[1].slice(1).toUpperCase();

/** A file that is gone has a sentence of its own: elsewhere, such an answer is silent. */
function tell(error: unknown, gone: () => string): void {
  if (isApiError(error, 'NOT_FOUND')) toast('warning', gone);
  else reportError(error);
}
