import type { DocumentDetail } from '@rmeet/contract';
import type { ConnectionState } from '@rmeet/documents';
import { Input } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../../lib/api/index.ts';
import { download } from '../../../lib/download.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { toast } from '../../../lib/notify.ts';
import { DOCUMENTS } from '../../../lib/paths.ts';
import { Button } from '../../../ui/Button.tsx';
import { exportPath, useRemoveAfterAsking } from '../acts.ts';
import { useDocumentChange } from '../queries.ts';
import { Here } from './Here.tsx';
import { MailDialog } from './MailDialog.tsx';
import type { People } from './people.ts';
import { ShareDialog } from './ShareDialog.tsx';
import { VersionsDrawer } from './VersionsDrawer.tsx';

type Opened = 'share' | 'versions' | 'mail' | null;

interface DocumentHeaderProps {
  detail: DocumentDetail;
  state: ConnectionState;
  people: People;
}

/** Title, state and what can be done with the whole document. */
export function DocumentHeader({ detail, state, people }: DocumentHeaderProps) {
  const t = useTexts('documents');
  const [opened, setOpened] = useState<Opened>(null);
  const navigate = useNavigate();
  const remove = useRemoveAfterAsking();
  const { id, right } = detail;
  const close = () => setOpened(null);
  const save = (format: 'docx' | 'pdf') =>
    void download(exportPath(id, format)).catch(() => toast('error', () => t('export.failed')));
  const removeAndLeave = async () => {
    if (await remove(detail)) await navigate(DOCUMENTS);
  };
  return (
    <header className="document-header">
      {right === 'manage' ? <TitleField key={detail.version} detail={detail} /> : <h1>{detail.title}</h1>}
      <div className="document-meta">
        <span>
          {[t(`kind.${detail.kind}`), detail.owner.name, detail.meeting?.subject].filter(Boolean).join(' · ')}
        </span>
        <span role="status" data-testid="document-state">
          {t(`state.${stateOf(state)}`)}
        </span>
        <Here people={people} />
      </div>
      <div className="document-acts">
        <Button data-testid="export-docx" onClick={() => save('docx')}>
          {t('export.docx')}
        </Button>
        <Button data-testid="export-pdf" onClick={() => save('pdf')}>
          {t('export.pdf')}
        </Button>
        <Button data-testid="versions-open" onClick={() => setOpened('versions')}>
          {t('versions.title')}
        </Button>
        {right !== 'read' && (
          <Button data-testid="mail-open" onClick={() => setOpened('mail')}>
            {t('mail.title')}
          </Button>
        )}
        {right === 'manage' && (
          <>
            <Button data-testid="share-open" onClick={() => setOpened('share')}>
              {t('share.title')}
            </Button>
            <Button kind="quiet" data-testid="document-remove" onClick={() => void removeAndLeave()}>
              {t('remove.action')}
            </Button>
          </>
        )}
      </div>
      {opened === 'share' && <ShareDialog detail={detail} onClose={close} />}
      {opened === 'mail' && <MailDialog id={id} onClose={close} />}
      <VersionsDrawer id={id} open={opened === 'versions'} mayWrite={right !== 'read'} onClose={close} />
    </header>
  );
}

function stateOf({ phase, isSaved }: ConnectionState): 'connecting' | 'lost' | 'saved' | 'saving' | 'refused' {
  if (phase !== 'open') return phase;
  return isSaved ? 'saved' : 'saving';
}

/** The title; it is stored when the field is left. */
function TitleField({ detail }: { detail: DocumentDetail }) {
  const t = useTexts('documents');
  const [title, setTitle] = useState(detail.title);
  const { id, kind, meeting, version } = detail;
  const rename = useDocumentChange(() =>
    api.documents.update({ params: { id }, body: { title, kind, meetId: meeting?.meetId ?? null, version } }),
  );
  const store = () => {
    if (title.trim() === '') setTitle(detail.title);
    else if (title.trim() !== detail.title) rename.mutate(undefined, { onError: () => setTitle(detail.title) });
  };
  return (
    <>
      <h1 className="visually-hidden">{detail.title}</h1>
      <Input.TextArea
        className="document-title"
        autoSize
        variant="borderless"
        value={title}
        maxLength={120}
        aria-label={t('column.title')}
        data-testid="document-title"
        onChange={(event) => setTitle(event.target.value.replaceAll('\n', ' '))}
        onBlur={store}
        onPressEnter={(event) => {
          event.preventDefault();
          event.currentTarget.blur();
        }}
      />
    </>
  );
}
