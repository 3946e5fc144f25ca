import type { MeetingDocument } from '@rmeet/contract';
import { reportError } from '../../lib/api/index.ts';
import { download } from '../../lib/download.ts';
import { sizeWords } from '../../lib/sizeWords.ts';
import { formatTime } from '../../lib/time.ts';
import { FilesFrame } from './FilesFrame.tsx';
import { IconButton } from '../IconButton.tsx';
import { ErrorState, Loading } from '../states.tsx';
import { pathOfFile } from './paths.ts';
import { useVersions } from './queries.ts';
import { useT } from './texts.ts';

/** The versions of a file, the newest first. */
export function VersionsDialog({ file, onClose }: { file: MeetingDocument; onClose: () => void }) {
  const t = useT();
  const { data, isPending, refetch } = useVersions(file.id);
  return (
    <FilesFrame title={t('versions.title', { name: file.name })} testId="file-versions-dialog" onClose={onClose}>
      {isPending && <Loading />}
      {!isPending && !data && <ErrorState retry={() => void refetch()} />}
      <ul className="meeting-files-list">
        {data?.map(({ version, size, by, at, scan }) => (
          <li key={version} data-testid="version-row">
            <span className="meeting-files-words">
              <span>
                {t('versions.row', { version })}
                {version === file.version && <span className="meeting-files-mark">{t('versions.current')}</span>}
              </span>
              <small>{`${sizeWords(size)} · ${t('by', { name: by.name, time: formatTime(at) })}`}</small>
            </span>
            {(scan === 'off' || scan === 'clean') && (
              <IconButton
                icon="download"
                label={t('versions.download', { version })}
                data-testid="version-download"
                onClick={() => void download(pathOfFile(file.id, version)).catch(reportError)}
              />
            )}
          </li>
        ))}
      </ul>
    </FilesFrame>
  );
}
