import { BROADCAST_ACTIONS_IN, type BroadcastAction, type BroadcastDetail } from '@rmeet/contract';
import { BroadcastMark } from '../../../../ui/broadcast/BroadcastMark.tsx';
import { useT } from '../../../../ui/broadcast/texts.ts';
import { useMeetingBroadcast } from '../../../../ui/broadcast/useMeetingBroadcast.ts';
import { useRunBroadcast } from '../../../../ui/broadcast/useRunBroadcast.ts';
import { Icon, type IconName } from '../../../../ui/icons.tsx';
import { ActionButton } from '../components/ActionButton.tsx';
import { useDesk, useDeskPart } from '../context.ts';

/** The broadcast of the meeting, for the account at the desk; a desk that was opened by a link has none. */
function useDeskBroadcast(): BroadcastDetail | null {
  const desk = useDesk();
  const status = useDeskPart(({ state }) => state.control.broadcast?.status ?? null);
  const broadcast = useMeetingBroadcast(desk.meetId, { status, counts: true });
  return desk.byLink ? null : broadcast;
}

/** What the account at the desk can do with the broadcast now. */
export function useBroadcastActions(): readonly BroadcastAction[] {
  const broadcast = useDeskBroadcast();
  return broadcast?.can.run === true ? BROADCAST_ACTIONS_IN[broadcast.state] : [];
}

const ICONS: Record<BroadcastAction, IconName> = { START: 'live', END: 'live', PAUSE: 'pause', RESUME: 'play' };

/** Puts the meeting on air, or ends its broadcast for good. */
export const BroadcastButton = () => <RunButton of={['START', 'END']} testId="desk-live" />;

/** Interrupts the broadcast, and goes on with it. */
export const BroadcastPauseButton = () => <RunButton of={['PAUSE', 'RESUME']} testId="desk-live-pause" />;

function RunButton({ of, testId }: { of: readonly BroadcastAction[]; testId: string }) {
  const t = useT();
  const run = useRunBroadcast();
  const broadcast = useDeskBroadcast();
  const action = useBroadcastActions().find((each) => of.includes(each));
  if (broadcast === null || action === undefined) return null;
  return (
    <ActionButton
      icon={ICONS[action]}
      label={t(`run.short.${action}`)}
      on={action === 'END'}
      data-testid={testId}
      onAction={() => run(action, broadcast)}
    />
  );
}

/** In the header: that viewers outside see the conference, and how many there are. */
export function DeskBroadcastMark() {
  const t = useT();
  const mark = useDeskPart(({ state }) => state.control.broadcast);
  const broadcast = useDeskBroadcast();
  if (!mark) return null;
  return (
    <li>
      <BroadcastMark broadcast={mark} />
      {broadcast !== null && (
        <span className="desk-viewers" title={t('mark.viewers')} data-testid="desk-viewers">
          <Icon name="eye" size={18} />
          <span className="visually-hidden">{t('mark.viewers')}</span>
          {broadcast.viewers}
        </span>
      )}
    </li>
  );
}
