import type { MeetingFileList } from '@rmeet/contract';
import { meetingFiles, pathOf } from '@rmeet/contract';
import { useState } from 'react';
import { isApiError, reportError } from '../../lib/api/index.ts';
import { download } from '../../lib/download.ts';
import { sizeWords } from '../../lib/sizeWords.ts';
import { Button } from '../Button.tsx';
import { Icon } from '../icons.tsx';
import { Pager } from '../Pager.tsx';
import { EmptyState, ErrorState, Loading } from '../states.tsx';
import { FileRows } from './FileRows.tsx';
import { NameDialog } from './NameDialog.tsx';
import { PAGE_SIZES, useFiles, type Place } from './queries.ts';
import { useT } from './texts.ts';
import { UploadButton } from './UploadButton.tsx';
import { UploadRows } from './UploadRows.tsx';
import './meetingFiles.css';

/** The folders and files of a meeting: they are opened, uploaded, arranged and downloaded here. */
export function MeetingFiles({ meetId }: { meetId: string }) {
  const t = useT();
  const [place, setPlace] = useState<Omit<Place, 'meetId'>>({ folderId: null, current: 1, size: PAGE_SIZES[0] });
  const { data, error, isPending, refetch } = useFiles({ meetId, ...place });
  const open = (folderId: string | null) => setPlace({ ...place, folderId, current: 1 });
  if (isApiError(error, 'NOT_FOUND'))
    return (
      <EmptyState picture="list" title={t('gone')}>
        {place.folderId !== null && <Button onClick={() => open(null)}>{t('top')}</Button>}
      </EmptyState>
    );
  if (!data) return isPending ? <Loading /> : <ErrorState retry={() => void refetch()} />;
  const { files } = data;
  return (
    <div className="meeting-files" data-testid="meeting-files">
      <Head list={data} folderId={place.folderId} onOpen={open} />
      <UploadRows list={data} />
      <FileRows list={data} onOpen={open} />
      {files.total > files.size && (
        <Pager
          current={place.current}
          size={place.size}
          sizes={PAGE_SIZES}
          total={files.total}
          totalText={t(files.totalIsLowerBound === true ? 'totalOver' : 'total', { count: files.total })}
          onChange={(change) => setPlace({ ...place, current: 1, ...change })}
        />
      )}
      <p className="meeting-files-space">
        {data.space.limit === null
          ? t('space', { used: sizeWords(data.space.used) })
          : t('spaceOf', { used: sizeWords(data.space.used), limit: sizeWords(data.space.limit) })}
      </p>
    </div>
  );
}

interface HeadProps {
  list: MeetingFileList;
  folderId: string | null;
  onOpen: (folderId: string | null) => void;
}

/** Where the list is, and what can be done here. */
function Head({ list, folderId, onOpen }: HeadProps) {
  const t = useT();
  const [isNaming, setNaming] = useState(false);
  const { meetId, path, can, files, folders, booked } = list;
  const isEmpty = files.total + folders.length + booked.length === 0;
  const saveAll = () =>
    void download(pathOf(meetingFiles.downloadDic, { params: { id: folderId ?? meetId } })).catch(reportError);
  return (
    <>
      {path.length > 0 && (
        <nav className="meeting-files-path" aria-label={t('path')}>
          <Button kind="quiet" data-testid="files-top" onClick={() => onOpen(null)}>
            {t('top')}
          </Button>
          {path.map(({ id, name }) => (
            <span key={id} className="meeting-files-step">
              <span aria-hidden="true">{'/'}</span>
              <Button kind="quiet" aria-current={id === folderId ? 'page' : undefined} onClick={() => onOpen(id)}>
                {name}
              </Button>
            </span>
          ))}
        </nav>
      )}
      <div className="meeting-files-tools">
        {can.add && <UploadButton meetId={meetId} folderId={folderId} />}
        {can.add && (
          <Button data-testid="files-new-folder" onClick={() => setNaming(true)}>
            <Icon name="plus" />
            {t('newFolder')}
          </Button>
        )}
        {!isEmpty && (
          <Button data-testid="files-download-all" onClick={saveAll}>
            <Icon name="download" />
            {t('downloadAll')}
          </Button>
        )}
      </div>
      {can.add && <p className="meeting-files-hint">{t('uploadHint')}</p>}
      {isNaming && <NameDialog meetId={meetId} parentId={folderId} onClose={() => setNaming(false)} />}
    </>
  );
}
