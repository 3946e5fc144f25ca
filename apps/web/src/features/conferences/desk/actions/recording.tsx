import type { RecordAction } from '@rmeet/conference';
import { toast } from '../../../../lib/notify.ts';
import { giveRecordAction, recordActionsIn } from '../../recording/actions.ts';
import { RecordingMark } from '../../recording/RecordingMark.tsx';
import { RecordingNews } from '../../recording/RecordingNews.tsx';
import { useT } from '../../recording/texts.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { useDesk, useDeskPart, useRights, useView } from '../context.ts';
import { DeskBroadcastMark } from './broadcast.tsx';

/** Starts or ends a recording. */
export function RecordButton() {
  const t = useT();
  const act = useRecordAction();
  const cannot = useRights().cannot('record');
  const isRunning = useDeskPart(({ state }) => recordActionsIn(state.control).includes('STOP'));
  const action = isRunning ? 'STOP' : 'START';
  return (
    <ActionButton
      icon={isRunning ? 'recordStop' : 'record'}
      label={t(`short.${action}`)}
      on={isRunning}
      cannot={cannot}
      data-testid="desk-record"
      onAction={() => act(action)}
    />
  );
}

/** Interrupts a recording, and goes on with it; nothing while there is none. */
export function PauseButton() {
  const t = useT();
  const act = useRecordAction();
  const action = useDeskPart(({ state }) =>
    recordActionsIn(state.control).find((each) => each === 'PAUSE' || each === 'RESUME'),
  );
  if (action === undefined) return null;
  return (
    <ActionButton
      icon={action === 'PAUSE' ? 'pause' : 'record'}
      label={t(`short.${action}`)}
      data-testid="desk-record-pause"
      onAction={() => act(action)}
    />
  );
}

/** The mark in the header, and what is told about it. */
export function DeskRecordingMark() {
  const recording = useDeskPart(({ state }) => state.control.recording);
  const clockAhead = useDeskPart((snapshot) => snapshot.clockAhead ?? 0);
  const mayRecord = useRights().may('record');
  const hears = useView((view) => view.hears);
  const act = useRecordAction();
  return (
    <>
      <DeskBroadcastMark />
      <li>
        <RecordingMark recording={recording} clockAhead={clockAhead} onAction={mayRecord ? act : null} />
      </li>
      <RecordingNews
        recording={recording ?? null}
        mayRecord={mayRecord}
        hasSound={hears}
        say={(sentences) => toast('warning', () => sentences().join(' '))}
      />
    </>
  );
}

function useRecordAction(): (action: RecordAction) => void {
  const t = useT();
  const desk = useDesk();
  return (action) => void giveRecordAction(action, (command) => desk.act(command), t);
}
