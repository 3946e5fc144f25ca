import { useEffect, useState } from 'react';
import type { Call, LocalMedia } from '../../../call/index.ts';
import { readPreferences, rememberPreferences } from '../shared/preferences.ts';
import { useT } from '../texts.ts';
import { useStore, useStorePart } from '../shared/use-store.ts';
import { ShareRequestDialog, UnmuteRequestDialog } from './RequestDialogs.tsx';
import { Banner } from './Banner.tsx';
import { CaptionsBanner } from '../shared/CaptionsBanner.tsx';
import { ChatPanel } from './chat/ChatPanel.tsx';
import { ChatPreview } from './chat/ChatPreview.tsx';
import { HostMenu } from './control/HostMenu.tsx';
import { UndoNotice } from './control/UndoNotice.tsx';
import { useControl, type Control } from './control/useControl.ts';
import { useTileMenu } from './control/useTileMenu.tsx';
import { InviteDialog, LeaveDialog, SettingsDialog, ShortcutsDialog } from './dialogs.tsx';
import { useLeaveWarning, useWakeLock } from '../shared/hooks.ts';
import { MeetingClock } from './MeetingClock.tsx';
import { Messages } from './Messages.tsx';
import { PeoplePanel } from './PeoplePanel.tsx';
import { Proceedings } from './Proceedings.tsx';
import { ReactionsOverlay } from './ReactionsOverlay.tsx';
import { useShortcuts } from './shortcuts.ts';
import { Stage } from './Stage.tsx';
import { StatusBadges } from './StatusBadges.tsx';
import { useArrivalSounds } from './sounds.ts';
import { Toolbar } from './Toolbar.tsx';
import { useRoomView, type RoomView } from './useRoomView.ts';
import { useToolbar, type RoomToolbar } from './useToolbar.ts';
import './room.css';

/** The meeting room. */
export function Room({ call, local }: { call: Call; local: LocalMedia }) {
  const t = useT();
  const { control: state, tiles, speakers, clockAhead } = useStore(call.store);
  const control = useControl(call);
  const view = useRoomView(state, call.termId);
  const toolbar = useToolbar(call, local, view);
  const [preferences, setPreferences] = useState(readPreferences);
  const people = useTileMenu(call, control);
  useArrivalSounds(call);
  useLeaveWarning();
  useWakeLock();
  useShortcuts(preferences.shortcuts, toolbar);

  const enableShortcuts = (shortcuts: boolean) => {
    const changed = { ...readPreferences(), shortcuts };
    setPreferences(changed);
    rememberPreferences(changed);
  };
  const { openPanel, ownView, setOwnView } = view;
  const closePanel = () => view.setPanel(null);

  return (
    <div className="room" data-testid="room" data-popovers>
      <RoomHeader call={call} view={view} />
      <div className="room-body" data-window={openPanel === 'chat' ? (state.window ?? undefined) : undefined}>
        <main className="room-stage" aria-label={t('room.label')}>
          <Banner call={call} local={local} />
          <Proceedings call={call} control={state} ownView={ownView} onChairsView={() => setOwnView(false)} />
          <Stage
            call={call}
            control={state}
            tiles={tiles}
            speakers={speakers}
            ownView={ownView}
            tileMenu={people.tileMenu}
          >
            <ReactionsOverlay call={call} />
            <CaptionsBanner control={state} termId={call.termId} clockAhead={clockAhead ?? 0} />
          </Stage>
          <Messages call={call} local={local} />
          <UndoNotice control={control} />
        </main>
        {openPanel === 'chat' && <ChatPanel call={call} onClose={closePanel} />}
        {openPanel === 'people' && <PeoplePanel call={call} control={control} onClose={closePanel} />}
      </div>
      <RoomFooter call={call} control={control} view={view} toolbar={toolbar} />
      {people.dialog}
      <UnmuteRequestDialog call={call} />
      {toolbar.state.canShare && !toolbar.state.sharing && <ShareRequestDialog call={call} local={local} />}
      <RoomDialogs
        call={call}
        local={local}
        view={view}
        shortcuts={preferences.shortcuts}
        onShortcuts={enableShortcuts}
      />
    </div>
  );
}

/** Subject, number, clock and status, and the newest message while the chat is closed. */
function RoomHeader({ call, view }: { call: Call; view: RoomView }) {
  const t = useT();
  const conference = useStorePart(call.store, (state) => state.conference);
  const clockAhead = useStorePart(call.store, (state) => state.clockAhead ?? 0);
  const title = conference?.subject || t('room.untitled');
  useEffect(() => {
    document.title = t('room.pageTitle', { subject: title });
  }, [title, t]);
  return (
    <header className="room-header">
      <h1 title={title}>{title}</h1>
      {!view.isChatHidden && <ChatPreview call={call} onOpen={() => view.setPanel('chat')} />}
      {conference !== null && (
        <>
          <span className="room-number">{t('room.number', { number: grouped(conference.numericId) })}</span>
          <MeetingClock startedAt={conference.startedAt} clockAhead={clockAhead} />
        </>
      )}
      <StatusBadges call={call} />
    </header>
  );
}

interface RoomFooterProps {
  call: Call;
  control: Control;
  view: RoomView;
  toolbar: RoomToolbar;
}

function RoomFooter({ call, control, view, toolbar }: RoomFooterProps) {
  const mayControl = useStorePart(call.store, ({ conference }) => conference?.me.can.control ?? false);
  return (
    <footer>
      <Toolbar
        state={toolbar.state}
        onAction={toolbar.onToolbarAction}
        onReact={toolbar.onReact}
        hostMenu={mayControl && <HostMenu call={call} control={control} onEnd={() => view.setDialog('leave')} />}
      />
    </footer>
  );
}

interface RoomDialogsProps {
  call: Call;
  local: LocalMedia;
  view: RoomView;
  shortcuts: boolean;
  onShortcuts: (enabled: boolean) => void;
}

function RoomDialogs({ call, local, view: { dialog, setDialog }, shortcuts, onShortcuts }: RoomDialogsProps) {
  const conference = useStorePart(call.store, (state) => state.conference);
  const close = () => setDialog(null);
  switch (dialog) {
    case 'leave':
      return <LeaveDialog call={call} onClose={close} />;
    case 'invite':
      return conference === null ? null : <InviteDialog conference={conference} onClose={close} />;
    case 'settings':
      return <SettingsDialog local={local} onClose={close} />;
    case 'shortcuts':
      return <ShortcutsDialog enabled={shortcuts} onEnable={onShortcuts} onClose={close} />;
    case null:
      return null;
  }
}

/** `482 913 057`: three groups are easier to read out than nine digits. */
function grouped(number: string): string {
  return number.replace(/(\d{3})(?=\d)/g, '$1 ');
}
