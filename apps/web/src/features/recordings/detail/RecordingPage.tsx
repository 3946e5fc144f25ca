import { NO_CONTROL } from '@rmeet/conference';
import type { RecordingDetail, RecordingTimeline } from '@rmeet/contract';
import { useEffect, useState } from 'react';
import { Link, useParams } from 'react-router';
import { useAddressParams } from '../../../lib/addressParams.ts';
import { toast } from '../../../lib/notify.ts';
import { RECORDINGS } from '../../../lib/paths.ts';
import { formatTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { EmptyState, ErrorState, Loading } from '../../../ui/states.tsx';
import { PlayerFrame } from '../player/PlayerFrame.tsx';
import { usePlayer } from '../player/usePlayer.ts';
import { useRecording, useRecordingChange, useSigner, useTimeline, useWatermark } from '../queries.ts';
import { useT } from '../texts.ts';
import { useRecordingActions } from '../useRecordingActions.tsx';
import { clockWords } from '../words.ts';
import { baseInfoOf } from './baseInfo.ts';
import { EditMarks } from './EditMarks.tsx';
import { EditPanel } from './EditPanel.tsx';
import { Side } from './Side.tsx';
import { useDraft } from './useDraft.ts';
import './detail.css';

const NO_TIMELINE: RecordingTimeline = {
  chapters: [],
  speaking: [],
  chat: [],
  captions: [],
  hands: [],
  votes: [],
  attendance: [],
  gaps: [],
  cards: [],
  control: { first: NO_CONTROL, steps: [] },
};

/** One recording: its player, and beside it what happened when. */
export function RecordingPage() {
  const t = useT();
  const { id = '' } = useParams();
  const { data: recording, error, isPending, refetch } = useRecording(id);
  const { subject } = baseInfoOf(recording);
  const title = subject || t('detail.title');
  useEffect(() => {
    document.title = `${title} · Rmeet`;
  }, [title]);
  const isGone = error !== null && 'code' in error && (error.code === 'NOT_FOUND' || error.code === 'INVALID_INPUT');
  const content = () => {
    if (recording) return <Content key={id} recording={recording} />;
    if (isGone) return <EmptyState picture="list" title={t('detail.gone')} hint={t('detail.goneHint')} />;
    return isPending ? <Loading /> : <ErrorState retry={() => void refetch()} />;
  };
  return (
    <div className="recording-page">
      <Link className="recording-back" to={RECORDINGS} data-testid="recording-back">
        {t('detail.back')}
      </Link>
      <header className="recording-header">
        <h1>{title}</h1>
        {recording && <Actions recording={recording} />}
        {recording && <Facts recording={recording} />}
      </header>
      {content()}
    </div>
  );
}

function Facts({ recording }: { recording: RecordingDetail }) {
  const t = useT();
  const { startTime, mulpitleAuth } = baseInfoOf(recording);
  const { host, duration, state, expiresAt, deletedAt } = recording;
  const facts = [
    formatTime(startTime),
    ...(duration > 0 ? [clockWords(duration)] : []),
    t('detail.host', { name: host.name }),
    ...(mulpitleAuth ? [t('detail.granted')] : []),
    ...(expiresAt === null || deletedAt !== null ? [] : [t('detail.expires', { day: formatTime(expiresAt) })]),
  ];
  return (
    <p className="recording-facts" data-testid="recording-facts">
      {state !== 'ready' && <span className={`recording-state recording-state-${state}`}>{t(`state.${state}`)}</span>}
      {facts.join(' · ')}
    </p>
  );
}

function Actions({ recording }: { recording: RecordingDetail }) {
  const t = useT();
  const { act, dialogs } = useRecordingActions();
  const { can, state, deletedAt, authResult } = recording;
  const isReady = state === 'ready' && authResult;
  const buttons = (
    <div className="recording-actions">
      {deletedAt !== null && can.manage && (
        <Button kind="primary" data-testid="do-restore" onClick={() => act('restore', [recording])}>
          {t('action.restore')}
        </Button>
      )}
      {isReady && can.manage && (
        <>
          <Button data-testid="do-share" onClick={() => act('share', [recording])}>
            <Icon name="link" size={16} />
            {t('action.share')}
          </Button>
          <Button data-testid="do-grant" onClick={() => act('grant', [recording])}>
            <Icon name="people" size={16} />
            {t('action.grant')}
          </Button>
          <Button data-testid="do-rename" onClick={() => act('rename', [recording])}>
            <Icon name="edit" size={16} />
            {t('action.rename')}
          </Button>
        </>
      )}
      {isReady && can.download && (
        <Button data-testid="do-save" onClick={() => act('save', [recording])}>
          <Icon name="download" size={16} />
          {t('action.save')}
        </Button>
      )}
    </div>
  );
  return (
    <>
      {buttons}
      {dialogs}
    </>
  );
}

function Content({ recording }: { recording: RecordingDetail }) {
  const t = useT();
  const { authResult } = baseInfoOf(recording);
  const isReady = authResult && recording.state === 'ready';
  const timeline = useTimeline(recording.id, isReady);
  const signer = useSigner(recording.id);
  const watermark = useWatermark(signer, isReady);
  if (recording.deletedAt !== null)
    return <EmptyState picture="list" title={t('detail.inBin')} hint={t('detail.inBinHint')} />;
  if (!authResult) return <EmptyState picture="list" title={t('detail.refused')} hint={t('detail.refusedHint')} />;
  if (!isReady)
    return (
      <EmptyState picture="list" title={t(`stateTitle.${recording.state}`)} hint={t(`stateHint.${recording.state}`)} />
    );
  if (timeline.isPending || watermark.isLoading) return <Loading />;
  return (
    <Watched
      recording={recording}
      timeline={timeline.data ?? NO_TIMELINE}
      watermark={watermark.data ?? null}
      signer={signer}
    />
  );
}

interface WatchedProps {
  recording: RecordingDetail;
  timeline: RecordingTimeline;
  watermark: string | null;
  signer: ReturnType<typeof useSigner>;
}

/** What plays: the recording as it is cut, or the whole while it is cut anew or looked at in full. */
function Watched({ recording, timeline, watermark, signer }: WatchedProps) {
  const t = useT();
  const [params] = useAddressParams();
  const [mode, setMode] = useState(() => ({
    kind: 'cut' as 'cut' | 'whole' | 'edit',
    startAt: Number.parseInt(params.get('t') ?? '0', 10) * 1_000 || 0,
  }));
  const isWhole = mode.kind !== 'cut';
  const player = usePlayer({ recording, signer, whole: isWhole, startAt: mode.startAt });
  const change = useRecordingChange(recording.id);
  const to = (kind: typeof mode.kind) => setMode({ kind, startAt: player.clockNow });

  const frame = { player, subject: recording.subject, shown: timeline, watermark };
  return (
    <div className="recording-columns">
      {mode.kind === 'edit' ? (
        <Editor
          frame={frame}
          recording={recording}
          isSaving={change.isPending}
          onCancel={() => to('cut')}
          onSave={(edit) =>
            change.mutate(
              { edit },
              {
                onSuccess: () => {
                  toast('success', () => t('edit.saved'));
                  to('cut');
                },
              },
            )
          }
        />
      ) : (
        <PlayerFrame
          {...frame}
          below={
            recording.can.manage && (
              <div className="recording-cut">
                <Button kind="quiet" data-testid="edit" onClick={() => to('edit')}>
                  <Icon name="scissors" size={16} />
                  {t('edit.title')}
                </Button>
                {recording.edit !== null && (
                  <>
                    <span>{t(isWhole ? 'edit.isWhole' : 'edit.isCut')}</span>
                    <Button kind="quiet" data-testid="show-whole" onClick={() => to(isWhole ? 'cut' : 'whole')}>
                      {t(isWhole ? 'edit.showCut' : 'edit.showWhole')}
                    </Button>
                  </>
                )}
              </div>
            )
          }
        />
      )}
      <Side player={player} timeline={timeline} files={recording.files} />
    </div>
  );
}

interface EditorProps {
  frame: Omit<Parameters<typeof PlayerFrame>[0], 'onLine' | 'below'>;
  recording: RecordingDetail;
  isSaving: boolean;
  onSave: Parameters<typeof EditPanel>[0]['onSave'];
  onCancel: () => void;
}

function Editor({ frame, recording, isSaving, onSave, onCancel }: EditorProps) {
  const draft = useDraft(recording.edit);
  const { player } = frame;
  return (
    <PlayerFrame
      {...frame}
      onLine={<EditMarks player={player} draft={draft} />}
      below={<EditPanel player={player} draft={draft} isSaving={isSaving} onSave={onSave} onCancel={onCancel} />}
    />
  );
}
