import type { StoredFile } from '@rmeet/contract';
import type { FileSource } from '../../lib/files.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { sizeWords } from '../../lib/sizeWords.ts';
import { Button } from '../Button.tsx';
import { Dialog } from '../Dialog.tsx';
import { Icon } from '../icons.tsx';
import { usePicture } from './usePicture.ts';
import './pictureDialog.css';

interface PictureDialogProps {
  file: StoredFile;
  source: FileSource;
  onSave: () => void;
  onClose: () => void;
}

/** A picture as large as fits. */
export function PictureDialog({ file, source, onSave, onClose }: PictureDialogProps) {
  const t = useTexts('common');
  const { url, hasFailed } = usePicture(source, file.id, true);
  return (
    <div className="picture-host">
      <Dialog title={file.name} testId="picture-dialog" wide onClose={onClose}>
        <div className="picture-stage">
          {hasFailed && <p role="alert">{t('files.failed')}</p>}
          {url === null && !hasFailed && <p role="status">{t('loading')}</p>}
          {url !== null && <img src={url} alt={file.name} data-testid="picture" />}
        </div>
        <footer className="picture-footer">
          <span>
            {file.picture && `${file.picture.width} × ${file.picture.height} · `}
            {sizeWords(file.size)}
          </span>
          <Button kind="primary" data-focus data-testid="picture-save" onClick={onSave}>
            <Icon name="download" />
            {t('files.saveShort')}
          </Button>
        </footer>
      </Dialog>
    </div>
  );
}
