import { meetingFiles, pathOf, type MeetingDocument, type MeetingFileList, type MeetingFolder } from '@rmeet/contract';
import { lazy, Suspense, useRef, useState } from 'react';
import { api, reportError } from '../../lib/api/index.ts';
import { loadChunk } from '../../lib/chunks.ts';
import { download } from '../../lib/download.ts';
import { ask, toast } from '../../lib/notify.ts';
import { sizeWords } from '../../lib/sizeWords.ts';
import { formatTime } from '../../lib/time.ts';
import { iconOfFile } from '../files/FileCard.tsx';
import { FileName } from '../files/FileName.tsx';
import { IconButton } from '../IconButton.tsx';
import { Icon } from '../icons.tsx';
import { Menu, MenuItem } from '../Menu.tsx';
import { EmptyState } from '../states.tsx';
import { NameDialog } from './NameDialog.tsx';
import { pathOfFile } from './paths.ts';
import { useFileChange } from './queries.ts';
import { useT } from './texts.ts';
import { uploads } from './uploads.ts';
import { VersionsDialog } from './VersionsDialog.tsx';
import '../menu-icons.tsx';

const PreviewDialog = lazy(() =>
  loadChunk(async () => ({ default: (await import('./PreviewDialog.tsx')).PreviewDialog })),
);

const save = (path: string): void => void download(path).catch(reportError);

interface FileRowsProps {
  list: MeetingFileList;
  /** A search left these over. */
  isFiltered: boolean;
  onOpen: (folderId: string) => void;
}

/** The folders and files of one folder, and in the outermost one those of the booking. */
export function FileRows({ list, isFiltered, onOpen }: FileRowsProps) {
  const t = useT();
  const { folders, files, booked, path } = list;
  const isEmpty = folders.length + files.records.length + booked.length === 0;
  if (isEmpty && isFiltered) return <EmptyState picture="list" title={t('none')} hint={t('noneHint')} />;
  if (isEmpty)
    return path.length > 0 ? (
      <EmptyState picture="list" title={t('emptyFolder')} />
    ) : (
      <EmptyState picture="list" title={t('empty')} hint={t('emptyHint')} />
    );
  return (
    <ul className="meeting-files-list" aria-label={t('list')}>
      {folders.map((folder) => (
        <FolderRow key={folder.id} folder={folder} meetId={list.meetId} onOpen={onOpen} />
      ))}
      {files.records.map((file) => (
        <FileRow key={file.id} file={file} list={list} />
      ))}
      {booked.map(({ id, name, size }) => (
        <li key={id} data-testid="booked-row">
          <Icon name="log" />
          <span className="meeting-files-words">
            <FileName name={name} />
            <small>{`${sizeWords(size)} · ${t('booked')}`}</small>
          </span>
          <IconButton icon="download" label={`${t('action.download')}: ${name}`} onClick={() => save(pathOfFile(id))} />
        </li>
      ))}
    </ul>
  );
}

/** Asks, deletes, and says so. */
function useRemoval(meetId: string, kind: 'file' | 'folder', { id, name }: { id: string; name: string }) {
  const t = useT();
  const removal = useFileChange(meetId, () =>
    kind === 'file' ? api.meetingFiles.remove({ params: { id } }) : api.meetingFiles.removeFolder({ params: { id } }),
  );
  return async () => {
    const isSure = await ask({
      title: t(kind === 'file' ? 'remove.file' : 'remove.folder', { name }),
      text: t(kind === 'file' ? 'remove.fileText' : 'remove.folderText'),
      okText: t('remove.ok'),
      cancelText: t('remove.cancel'),
      danger: true,
    });
    if (isSure) removal.mutate(undefined, { onSuccess: () => toast('success', () => t('remove.done', { name })) });
  };
}

interface FolderRowProps {
  folder: MeetingFolder;
  meetId: string;
  onOpen: (id: string) => void;
}

function FolderRow({ folder, meetId, onOpen }: FolderRowProps) {
  const t = useT();
  const [isNaming, setNaming] = useState(false);
  const { id, name, can } = folder;
  const remove = useRemoval(meetId, 'folder', folder);
  return (
    <li data-testid="folder-row">
      <Icon name="folder" />
      <button type="button" className="meeting-files-open" data-testid="folder-open" onClick={() => onOpen(id)}>
        <FileName name={name} />
      </button>
      <Menu
        button={<Icon name="more" />}
        label={t('actions', { name })}
        className="icon-button"
        testId="folder-actions"
      >
        <MenuItem testId="folder-download" onSelect={() => save(pathOf(meetingFiles.downloadDic, { params: { id } }))}>
          {t('downloadFolder')}
        </MenuItem>
        {can.change && (
          <MenuItem testId="folder-rename" onSelect={() => setNaming(true)}>
            {t('action.rename')}
          </MenuItem>
        )}
        {can.remove && (
          <MenuItem testId="folder-remove" danger onSelect={() => void remove()}>
            {t('action.remove')}
          </MenuItem>
        )}
      </Menu>
      {isNaming && (
        <NameDialog meetId={meetId} renamed={{ kind: 'folder', id, name }} onClose={() => setNaming(false)} />
      )}
    </li>
  );
}

type Opened = 'preview' | 'versions' | 'name' | null;

function FileRow({ file, list }: { file: MeetingDocument; list: MeetingFileList }) {
  const [opened, setOpened] = useState<Opened>(null);
  const { id, name, kind, preview, scan } = file;
  const isReadable = scan === 'off' || scan === 'clean';
  const close = () => setOpened(null);
  return (
    <li data-testid="file-row">
      <Icon name={iconOfFile(kind)} />
      <span className="meeting-files-words">
        {isReadable && preview !== null ? (
          <button
            type="button"
            className="meeting-files-open"
            data-testid="file-preview"
            onClick={() => setOpened('preview')}
          >
            <FileName name={name} />
          </button>
        ) : (
          <FileName name={name} />
        )}
        <Facts file={file} />
      </span>
      <FileMenu file={file} list={list} isReadable={isReadable} onOpen={setOpened} />
      {opened === 'preview' && (
        <Suspense>
          <PreviewDialog file={file} onClose={close} />
        </Suspense>
      )}
      {opened === 'versions' && <VersionsDialog file={file} onClose={close} />}
      {opened === 'name' && <NameDialog meetId={list.meetId} renamed={{ kind: 'file', id, name }} onClose={close} />}
    </li>
  );
}

/** Size, author and time of a file, and what is special about it. */
function Facts({ file }: { file: MeetingDocument }) {
  const t = useT();
  const { size, by, at, version, audience, secretUntilStart, scan } = file;
  const facts = [sizeWords(size), t('by', { name: by.name, time: formatTime(at) })];
  if (version > 1) facts.push(t('version', { version }));
  return (
    <small>
      {facts.join(' · ')}
      {secretUntilStart && <span className="meeting-files-mark">{t('secret')}</span>}
      {audience === 'managers' && <span className="meeting-files-mark">{t('managers')}</span>}
      {scan !== 'off' && scan !== 'clean' && (
        <span className={`meeting-files-mark meeting-files-mark-${scan}`} data-testid="file-scan">
          {t(`scan.${scan}`)}
        </span>
      )}
    </small>
  );
}

type AudienceChange = Partial<Pick<MeetingDocument, 'audience' | 'secretUntilStart'>>;

interface AudienceItemsProps {
  file: MeetingDocument;
  onChange: (change: AudienceChange) => void;
}

/** Who sees a file, and when. */
function AudienceItems({ file: { audience, secretUntilStart }, onChange }: AudienceItemsProps) {
  const t = useT();
  return (
    <>
      <MenuItem testId="file-secret" onSelect={() => onChange({ secretUntilStart: !secretUntilStart })}>
        {t(secretUntilStart ? 'action.show' : 'action.hide')}
      </MenuItem>
      <MenuItem
        testId="file-audience"
        onSelect={() => onChange({ audience: audience === 'members' ? 'managers' : 'members' })}
      >
        {t(audience === 'members' ? 'action.managers' : 'action.members')}
      </MenuItem>
    </>
  );
}

interface FileMenuProps {
  file: MeetingDocument;
  list: MeetingFileList;
  isReadable: boolean;
  onOpen: (what: Opened) => void;
}

function FileMenu({ file, list, isReadable, onOpen }: FileMenuProps) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const { id, name, can, folderId } = file;
  const remove = useRemoval(list.meetId, 'file', file);
  const change = useFileChange(list.meetId, (body: AudienceChange) =>
    api.meetingFiles.change({ params: { id }, body }),
  );
  const canManage = list.can.manage && list.can.add;
  const canChange = can.change && list.can.add;
  return (
    <>
      <Menu button={<Icon name="more" />} label={t('actions', { name })} className="icon-button" testId="file-actions">
        {isReadable && (
          <MenuItem testId="file-download" onSelect={() => save(pathOfFile(id))}>
            {t('action.download')}
          </MenuItem>
        )}
        <MenuItem testId="file-versions" onSelect={() => onOpen('versions')}>
          {t('action.versions')}
        </MenuItem>
        {canChange && (
          <MenuItem testId="file-new-version" onSelect={() => input.current?.click()}>
            {t('action.newVersion')}
          </MenuItem>
        )}
        {canChange && (
          <MenuItem testId="file-rename" onSelect={() => onOpen('name')}>
            {t('action.rename')}
          </MenuItem>
        )}
        {canManage && <AudienceItems file={file} onChange={(body) => change.mutate(body)} />}
        {canChange && (
          <MenuItem testId="file-remove" danger onSelect={() => void remove()}>
            {t('action.remove')}
          </MenuItem>
        )}
      </Menu>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('action.newVersion')}
        data-testid="file-version-input"
        onChange={(event) => {
          const [chosen] = event.target.files ?? [];
          if (chosen) uploads.add(chosen, { meetId: list.meetId, folderId, fileId: id });
          event.target.value = '';
        }}
      />
    </>
  );
}
