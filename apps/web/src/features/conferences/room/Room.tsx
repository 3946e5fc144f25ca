import { lazy, Suspense, useEffect } from 'react';
import type { Call, LocalMedia, ShareOptions } from '../../../call/index.ts';
import { Settings } from '../settings/Settings.tsx';
import { usePreferences } from '../shared/preferences.ts';
import { useT } from '../texts.ts';
import { useStore, useStorePart } from '../shared/use-store.ts';
import { ShareRequestDialog, UnmuteRequestDialog } from './RequestDialogs.tsx';
import { Banner } from './Banner.tsx';
import { CaptionsBanner } from '../shared/CaptionsBanner.tsx';
import { ChatPanel } from './ChatPanel.tsx';
import { UndoNotice } from './control/UndoNotice.tsx';
import { useControl } from './control/useControl.ts';
import { InviteDialog, LeaveDialog } from './dialogs.tsx';
import { useLeaveWarning, useWakeLock } from '../shared/hooks.ts';
import { Messages } from './Messages.tsx';
import { readViewPreferences } from './model/view-preferences.ts';
import { PeoplePanel } from './PeoplePanel.tsx';
import { SelfHints } from './SelfHints.tsx';
import { Proceedings } from './Proceedings.tsx';
import { useShortcuts } from './shortcuts.ts';
import { ShareBar } from './ShareBar.tsx';
import { Stage } from './Stage.tsx';
import { StatusBadges } from './StatusBadges.tsx';
import { Toolbar } from './Toolbar.tsx';
import { loadPictureInPicture, usePictureInPicture, type PictureInPicture } from './usePictureInPicture.ts';
import { useRoomView, type RoomView } from './useRoomView.ts';
import { useToolbar } from './useToolbar.ts';
import { useViewKeys } from './useViewChoices.ts';
import { ViewMenu } from './ViewMenu.tsx';
import './room.css';

const PictureInPictureWindow = lazy(loadPictureInPicture);

/** The meeting room. */
export function Room({ call, local }: { call: Call; local: LocalMedia }) {
  const t = useT();
  const { control: state, tiles, speakers, clockAhead } = useStore(call.store);
  const control = useControl(call);
  const view = useRoomView(state, call.termId);
  const pictureInPicture = usePictureInPicture();
  const toolbar = useToolbar(call, local, view, useViewKeys(view.choices, pictureInPicture));
  const preferences = usePreferences();
  useLeaveWarning();
  useWakeLock();
  useShortcuts(preferences.shortcuts, toolbar);

  const { openPanel, choices } = view;
  const { ownView } = choices;
  const closePanel = () => view.setPanel(null);

  return (
    <div className="room" data-testid="room">
      <RoomHeader call={call} local={local} onShareOptions={(share) => choices.change({ share })} />
      <div className="room-body" data-window={openPanel === 'chat' ? (state.window ?? undefined) : undefined}>
        <main className="room-stage" aria-label={t('room.label')}>
          <Banner call={call} />
          <Proceedings call={call} control={state} ownView={ownView} onChairsView={() => choices.choose('CHAIR')} />
          <Stage call={call} control={state} tiles={tiles} speakers={speakers} choices={choices}>
            <CaptionsBanner
              control={state}
              termId={call.termId}
              clockAhead={clockAhead ?? 0}
              size={preferences.captions}
            />
          </Stage>
          <Messages call={call} local={local} />
          <UndoNotice control={control} />
        </main>
        {openPanel === 'chat' && <ChatPanel call={call} onClose={closePanel} />}
        {openPanel === 'people' && <PeoplePanel call={call} control={control} onClose={closePanel} />}
      </div>
      <footer className="room-footer">
        <ViewWindows call={call} view={view} pictureInPicture={pictureInPicture} toolbar={toolbar} />
        <Toolbar state={toolbar.state} onAction={toolbar.onToolbarAction} />
      </footer>
      <UnmuteRequestDialog call={call} />
      {toolbar.state.canShare && !toolbar.state.sharing && <ShareRequestDialog call={call} local={local} />}
      <SelfHints call={call} local={local} onVideoSettings={() => view.setDialog('video')} />
      <RoomDialogs call={call} local={local} view={view} />
    </div>
  );
}

/** The meeting, what the user shares, and lasting states. */
function RoomHeader({
  call,
  local,
  onShareOptions,
}: {
  call: Call;
  local: LocalMedia;
  onShareOptions: (options: ShareOptions) => void;
}) {
  const t = useT();
  const conference = useStorePart(call.store, (state) => state.conference);
  const subject = conference?.subject ?? '';
  useEffect(() => {
    document.title = t('room.pageTitle', { subject: subject || t('room.untitled') });
  }, [subject, t]);
  // As chosen at an earlier share.
  useEffect(() => local.setShareOptions(readViewPreferences().share), [local]);
  return (
    <header className="room-header">
      <h1 title={subject}>{subject || t('room.untitled')}</h1>
      {conference !== null && (
        <span className="room-number">{t('room.number', { number: grouped(conference.numericId) })}</span>
      )}
      <ShareBar local={local} onOptions={onShareOptions} />
      <StatusBadges call={call} />
    </header>
  );
}

interface ViewWindowsProps {
  call: Call;
  view: RoomView;
  pictureInPicture: PictureInPicture;
  toolbar: ReturnType<typeof useToolbar>;
}

/** The menu of views, and the small window. */
function ViewWindows({ call, view, pictureInPicture, toolbar }: ViewWindowsProps) {
  const control = useStorePart(call.store, (state) => state.control);
  const { choices, isViewMenuOpen, setViewMenuOpen } = view;
  return (
    <>
      {isViewMenuOpen && (
        <ViewMenu
          control={control}
          choices={choices}
          pictureInPicture={pictureInPicture}
          onClose={() => setViewMenuOpen(false)}
        />
      )}
      {pictureInPicture.window !== null && (
        <Suspense>
          <PictureInPictureWindow
            target={pictureInPicture.window}
            call={call}
            mirror={choices.preferences.mirror}
            state={toolbar.state}
            onAction={toolbar.onToolbarAction}
          />
        </Suspense>
      )}
    </>
  );
}

interface RoomDialogsProps {
  call: Call;
  local: LocalMedia;
  view: RoomView;
}

function RoomDialogs({ call, local, view: { dialog, setDialog } }: RoomDialogsProps) {
  const conference = useStorePart(call.store, (state) => state.conference);
  const close = () => setDialog(null);
  switch (dialog) {
    case 'leave':
      return <LeaveDialog call={call} onClose={close} />;
    case 'invite':
      return conference === null ? null : <InviteDialog conference={conference} onClose={close} />;
    case 'settings':
      return <Settings local={local} call={call} tab="audio" onClose={close} />;
    case 'video':
      return <Settings local={local} call={call} tab="video" onClose={close} />;
    case 'shortcuts':
      return <Settings local={local} call={call} tab="shortcuts" onClose={close} />;
    case null:
      return null;
  }
}

/** `482 913 057`: three groups are easier to read out than nine digits. */
function grouped(number: string): string {
  return number.replace(/(\d{3})(?=\d)/g, '$1 ');
}
