import type { DocumentVersion } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { Input } from 'antd';
import { useState } from 'react';
import { api } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { ask, toast } from '../../../lib/notify.ts';
import { formatTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/Button.tsx';
import { SideDrawer } from '../../../ui/SideDrawer.tsx';
import { EmptyState, ErrorState, Loading } from '../../../ui/states.tsx';
import { useDocumentChange } from '../queries.ts';

/** The newest ones; there are rarely more. */
const SIZE = 200;

interface VersionsDrawerProps {
  id: string;
  open: boolean;
  mayWrite: boolean;
  onClose: () => void;
}

/** The kept versions of a document: what has changed since one, and restoring it. */
export function VersionsDrawer({ id, open, mayWrite, onClose }: VersionsDrawerProps) {
  const t = useTexts('documents');
  return (
    <SideDrawer title={t('versions.title')} open={open} onClose={onClose} testId="versions">
      <Versions id={id} mayWrite={mayWrite} />
    </SideDrawer>
  );
}

function Versions({ id, mayWrite }: { id: string; mayWrite: boolean }) {
  const t = useTexts('documents');
  const [shown, setShown] = useState<DocumentVersion | null>(null);
  const list = useQuery({
    queryKey: ['documents', 'versions', id],
    queryFn: () => api.documents.versions({ params: { id }, query: { size: SIZE } }),
    meta: { quiet: 'unloaded' },
  });
  if (shown) return <Difference id={id} version={shown} mayWrite={mayWrite} onBack={() => setShown(null)} />;
  return (
    <>
      {mayWrite && <Keep id={id} />}
      {list.isPending && <Loading />}
      {list.isError && <ErrorState retry={() => void list.refetch()} />}
      {list.data?.total === 0 && (
        <EmptyState picture="list" title={t('versions.empty')} hint={t('versions.emptyHint')} />
      )}
      <ul className="document-versions">
        {list.data?.records.map((version) => (
          <li key={version.id}>
            <button type="button" data-testid="version" onClick={() => setShown(version)}>
              <b>{version.name || t(`versions.kind.${version.kind}`)}</b>
              <small>{[formatTime(version.createdAt), version.createdBy].join(' · ')}</small>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function Keep({ id }: { id: string }) {
  const t = useTexts('documents');
  const [name, setName] = useState('');
  const keep = useDocumentChange(() => api.documents.keep({ params: { id }, body: { name } }));
  return (
    <form
      className="document-keep"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') keep.mutate(undefined, { onSuccess: () => setName('') });
      }}
    >
      <Input
        value={name}
        maxLength={60}
        aria-label={t('versions.name')}
        placeholder={t('versions.name')}
        data-testid="version-name"
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" busy={keep.isPending} data-testid="version-keep">
        {t('versions.keep')}
      </Button>
    </form>
  );
}

interface DifferenceProps {
  id: string;
  version: DocumentVersion;
  mayWrite: boolean;
  onBack: () => void;
}

/** What has changed since a version. */
function Difference({ id, version, mayWrite, onBack }: DifferenceProps) {
  const t = useTexts('documents');
  const common = useTexts('common');
  const found = useQuery({
    queryKey: ['documents', 'difference', id, version.id],
    queryFn: () => api.documents.difference({ params: { id, versionId: version.id } }),
    meta: { quiet: 'unloaded' },
  });
  const restore = useDocumentChange(() => api.documents.restore({ params: { id, versionId: version.id } }));
  const restoreAfterAsking = async () => {
    const isSure = await ask({
      title: t('versions.restoreTitle'),
      text: t('versions.restoreText'),
      okText: t('versions.restore'),
      cancelText: common('cancel'),
    });
    if (!isSure) return;
    restore.mutate(undefined, {
      onSuccess: () => {
        toast('success', () => t('versions.restored'));
        onBack();
      },
    });
  };
  return (
    <>
      <p className="document-keep">
        <Button kind="quiet" data-testid="version-back" onClick={onBack}>
          {t('versions.back')}
        </Button>
        {mayWrite && (
          <Button busy={restore.isPending} data-testid="version-restore" onClick={() => void restoreAfterAsking()}>
            {t('versions.restore')}
          </Button>
        )}
      </p>
      <p className="document-lead">{t('versions.since', { time: formatTime(version.createdAt) })}</p>
      {found.isPending && <Loading />}
      {found.isError && <ErrorState retry={() => void found.refetch()} />}
      {found.data?.lines.every(({ kind }) => kind === 'same') && <p>{t('versions.equal')}</p>}
      <ol className="document-difference" data-testid="difference">
        {found.data?.lines.map(({ kind, text }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- lines have no other identity
          <li key={at} className={`difference-${kind}`}>
            {kind !== 'same' && <span className="visually-hidden">{t(`versions.line.${kind}`)}</span>}
            {kind === 'added' ? <ins>{text}</ins> : kind === 'removed' ? <del>{text}</del> : text}
          </li>
        ))}
      </ol>
    </>
  );
}
