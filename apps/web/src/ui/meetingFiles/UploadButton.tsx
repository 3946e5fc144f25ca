import { useRef } from 'react';
import { Button } from '../Button.tsx';
import { Icon } from '../icons.tsx';
import { useT } from './texts.ts';
import { uploads } from './uploads.ts';

/** Chooses files and uploads them to a folder. */
export function UploadButton({ meetId, folderId }: { meetId: string; folderId: string | null }) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button kind="primary" data-testid="files-upload" onClick={() => input.current?.click()}>
        <Icon name="upload" />
        {t('upload')}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('upload')}
        data-testid="files-input"
        onChange={(event) => {
          for (const file of event.target.files ?? []) uploads.add(file, { meetId, folderId });
          // The same file can be chosen again.
          event.target.value = '';
        }}
      />
    </>
  );
}
