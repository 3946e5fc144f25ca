import type { MeetingFileList } from '@rmeet/contract';
import { FILE_SORTS, meetingFiles, pathOf } from '@rmeet/contract';
import { useState } from 'react';
import { isApiError, reportError } from '../../lib/api/index.ts';
import { download } from '../../lib/download.ts';
import { sizeWords } from '../../lib/sizeWords.ts';
import { Button } from '../Button.tsx';
import { Icon } from '../icons.tsx';
import { Pager } from '../Pager.tsx';
import { SearchField } from '../SearchField.tsx';
import { Select } from '../Select.tsx';
import { EmptyState, ErrorState, Loading } from '../states.tsx';
import { FileRows } from './FileRows.tsx';
import { NameDialog } from './NameDialog.tsx';
import { PAGE_SIZES, type ChangePlace, type Place } from './place.ts';
import { useFiles } from './queries.ts';
import { useT } from './texts.ts';
import { UploadButton } from './UploadButton.tsx';
import { UploadRows } from './UploadRows.tsx';
import './meetingFiles.css';

interface MeetingFilesProps {
  meetId: string;
  place: Place;
  onPlace: ChangePlace;
}

/** The folders and files of a meeting: they are opened, uploaded, arranged and downloaded here. */
export function MeetingFiles({ meetId, place, onPlace }: MeetingFilesProps) {
  const t = useT();
  const { data, error, isPending, refetch } = useFiles(meetId, place);
  const open = (folderId: string | null) => onPlace({ folderId });
  if (isApiError(error, 'NOT_FOUND') || isApiError(error, 'INVALID_INPUT'))
    return (
      <EmptyState picture="list" title={t('gone')}>
        {place.folderId !== null && <Button onClick={() => open(null)}>{t('top')}</Button>}
      </EmptyState>
    );
  if (!data) return isPending ? <Loading /> : <ErrorState retry={() => void refetch()} />;
  const { files } = data;
  return (
    <div className="meeting-files" data-testid="meeting-files">
      <Head list={data} place={place} onOpen={open} />
      <UploadRows list={data} />
      <Finder place={place} onPlace={onPlace} isEmpty={isEmpty(data)} />
      <FileRows list={data} isFiltered={place.keyword !== ''} onOpen={open} />
      {files.total > files.size && (
        <Pager
          current={place.current}
          size={place.size}
          sizes={PAGE_SIZES}
          total={files.total}
          totalText={t(files.totalIsLowerBound === true ? 'totalOver' : 'total', { count: files.total })}
          onChange={onPlace}
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

const isEmpty = ({ files, folders, booked }: MeetingFileList): boolean =>
  files.total + folders.length + booked.length === 0;

/** Search and order; without them in an empty folder. */
function Finder({ place, onPlace, isEmpty: isNothing }: Omit<MeetingFilesProps, 'meetId'> & { isEmpty: boolean }) {
  const t = useT();
  if (isNothing && place.keyword === '') return null;
  return (
    <div className="meeting-files-tools">
      <SearchField
        keyword={place.keyword}
        placeholder={t('search')}
        testId="files-search"
        onSearch={(keyword) => onPlace({ keyword })}
      />
      <Select
        label={t('sort.label')}
        value={place.sort}
        options={FILE_SORTS.map((value) => ({ value, label: t(`sort.${value}`) }))}
        data-testid="files-sort"
        onChange={(chosen) => onPlace({ sort: FILE_SORTS.find((sort) => sort === chosen) ?? FILE_SORTS[0] })}
      />
    </div>
  );
}

interface HeadProps {
  list: MeetingFileList;
  place: Place;
  onOpen: (folderId: string | null) => void;
}

/** Where the list is, and what can be done here. */
function Head({ list, place: { folderId, keyword }, onOpen }: HeadProps) {
  const t = useT();
  const [isNaming, setNaming] = useState(false);
  const { meetId, path, can } = list;
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
        {(keyword !== '' || !isEmpty(list)) && (
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
