import { hasCapability } from '@rmeet/conference';
import type { Call } from '../../../../call/index.ts';
import { MenuGroup, MenuItem } from '../../../../ui/Menu.tsx';
import { recordActionsIn } from '../../recording/actions.ts';
import { RecordingMark } from '../../recording/RecordingMark.tsx';
import { useT } from '../../recording/texts.ts';
import { useStorePart } from '../../shared/use-store.ts';
import { Control } from '../Toolbar.tsx';
import { useRecordAction } from './useRecordAction.ts';

/** The mark in the room's header. */
export function RoomRecordingMark({ call }: { call: Call }) {
  const recording = useStorePart(call.store, ({ control }) => control.recording);
  const clockAhead = useStorePart(call.store, (state) => state.clockAhead ?? 0);
  return <RecordingMark recording={recording} clockAhead={clockAhead} onAction={useRecordAction(call)} />;
}

/** Start, pause and end in the host menu. */
export function RecordingItems({ call }: { call: Call }) {
  const t = useT();
  const control = useStorePart(call.store, (state) => state.control);
  const act = useRecordAction(call);
  if (act === null) return null;
  return (
    <MenuGroup label={t('title')}>
      {!hasCapability(control, 'recording') && (
        <MenuItem testId="host-record-start" why={t('encrypted')}>
          {t('action.START')}
        </MenuItem>
      )}
      {recordActionsIn(control).map((action) => (
        <MenuItem key={action} testId={`host-record-${action.toLowerCase()}`} onSelect={() => act(action)}>
          {t(`action.${action}`)}
        </MenuItem>
      ))}
    </MenuGroup>
  );
}

/** The button among the less used ones of the toolbar: starts, resumes or ends a recording. */
export function RecordControl({ call }: { call: Call }) {
  const t = useT();
  const control = useStorePart(call.store, (state) => state.control);
  const act = useRecordAction(call);
  if (act === null) return null;
  const action = recordActionsIn(control).find((each) => each !== 'PAUSE');
  return action === undefined ? (
    <Control
      action="record"
      icon="record"
      label={t('short.START')}
      why={t('encrypted')}
      held
      onAction={() => undefined}
    />
  ) : (
    <Control
      action="record"
      icon={action === 'STOP' ? 'recordStop' : 'record'}
      label={t(`short.${action}`)}
      onAction={() => act(action)}
    />
  );
}
