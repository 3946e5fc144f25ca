import { lazy, Suspense, useEffect, useRef } from 'react';
import type { Call, LocalMedia } from '../../../call/index.ts';
import { Settings } from '../settings/Settings.tsx';
import { usePreferences } from '../shared/preferences.ts';
import { useT } from '../texts.ts';
import { useStorePart } from '../shared/use-store.ts';
import { loadChunk } from '../../../lib/chunks.ts';
import { ShareRequestDialog, UnmuteRequestDialog } from './RequestDialogs.tsx';
import { Banner } from './Banner.tsx';
import { CaptionsBanner } from '../shared/CaptionsBanner.tsx';
import { ChatPanel } from './chat/ChatPanel.tsx';
import { ChatPreview } from './chat/ChatPreview.tsx';
import { HostMenu } from './control/HostMenu.tsx';
import { RecordControl } from './control/Recording.tsx';
import { useControl, type Control } from './control/useControl.ts';
import { useTileMenu } from './control/useTileMenu.tsx';
import { LeaveDialog } from './dialogs.tsx';
import { grouped } from './model/numbers.ts';
import { useLeaveWarning, useWakeLock } from '../shared/hooks.ts';
import { MeetingClock } from './MeetingClock.tsx';
import { readViewPreferences } from './model/view-preferences.ts';
import { PeoplePanel } from './PeoplePanel.tsx';
import { SelfHints } from './SelfHints.tsx';
import { Proceedings } from './Proceedings.tsx';
import { RoomTitle } from './RoomTitle.tsx';
import { ReactionsOverlay } from './ReactionsOverlay.tsx';
import { useShortcuts } from './shortcuts.ts';
import { ShareBar } from './ShareBar.tsx';
import { Stage } from './Stage.tsx';
import { RoomNotices } from './RoomNotices.tsx';
import { StatusBadges } from './StatusBadges.tsx';
import { useArrivalSounds } from './sounds.ts';
import { Toolbar, ToolbarSpace } from './Toolbar.tsx';
import { useFirstPicture } from './useFirstPicture.ts';
import { loadPictureInPicture, usePictureInPicture, type PictureInPicture } from './usePictureInPicture.ts';
import { useRoomView, type RoomPanel, type RoomView } from './useRoomView.ts';
import { useToolbar, type RoomToolbar } from './useToolbar.ts';
import { useViewKeys } from './useViewChoices.ts';
import { ViewMenu } from './ViewMenu.tsx';
import './room.css';
import './dialogs.css';

const PictureInPictureWindow = lazy(loadPictureInPicture);
const InviteDialog = lazy(async () => ({ default: (await import('./invite/InviteDialog.tsx')).InviteDialog }));
const FilesPanel = lazy(() => loadChunk(async () => ({ default: (await import('./FilesPanel.tsx')).FilesPanel })));
const VoteControlDialog = lazy(async () => ({ default: (await import('./VoteControlDialog.tsx')).VoteControlDialog }));

/** The meeting room. */
export function Room({ call, local }: { call: Call; local: LocalMedia }) {
  const t = useT();
  const element = useRef<HTMLDivElement>(null);
  const showsFirstPicture = useFirstPicture(element, call);
  const state = useStorePart(call.store, (snapshot) => snapshot.control);
  const tiles = useStorePart(call.store, (snapshot) => snapshot.tiles);
  const speakers = useStorePart(call.store, (snapshot) => snapshot.speakers);
  const clockAhead = useStorePart(call.store, (snapshot) => snapshot.clockAhead);
  const control = useControl(call);
  const view = useRoomView(state, call.termId);
  const preferences = usePreferences();
  const people = useTileMenu(call, control);
  useArrivalSounds(call);
  useLeaveWarning();
  useWakeLock();

  const { openPanel, choices } = view;

  return (
    <div ref={element} className="room" data-testid="room" data-popovers>
      <RoomHeader call={call} local={local} view={view} />
      <div className="room-body" data-window={openPanel === 'chat' ? (state.window ?? undefined) : undefined}>
        <main className="room-stage" aria-label={t('room.label')}>
          <Banner call={call} local={local} />
          <Proceedings
            call={call}
            control={state}
            ownView={choices.ownView}
            managesVote={view.dialog === 'vote'}
            onChairsView={() => choices.choose('CHAIR')}
          />
          <Stage
            call={call}
            control={state}
            tiles={tiles}
            speakers={speakers}
            choices={choices}
            tileMenu={people.tileMenu}
          >
            <ReactionsOverlay call={call} />
            <CaptionsBanner
              control={state}
              termId={call.termId}
              clockAhead={clockAhead ?? 0}
              size={preferences.captions}
            />
          </Stage>
        </main>
        <OpenPanel panel={openPanel} call={call} control={control} onClose={() => view.setPanel(null)} />
      </div>
      <RoomControls call={call} local={local} control={control} view={view} isDrawn={showsFirstPicture} />
      <RoomNotices call={call} local={local} control={control} />
      {people.dialog}
      <UnmuteRequestDialog call={call} />
      {showsFirstPicture && <SelfHints call={call} local={local} onVideoSettings={() => view.setDialog('video')} />}
      <RoomDialogs call={call} control={control} local={local} view={view} />
    </div>
  );
}

interface OpenPanelProps {
  panel: RoomPanel | null;
  call: Call;
  control: Control;
  onClose: () => void;
}

/** What is open beside the pictures. */
function OpenPanel({ panel, call, control, onClose }: OpenPanelProps) {
  if (panel === 'chat') return <ChatPanel call={call} onClose={onClose} />;
  if (panel === 'people') return <PeoplePanel call={call} control={control} onClose={onClose} />;
  if (panel === null) return null;
  return (
    <Suspense fallback={null}>
      <FilesPanel meetId={call.meetId} onClose={onClose} />
    </Suspense>
  );
}

/** Subject, number, clock and status, what the user shares, and the newest message while the chat is closed. */
function RoomHeader({ call, local, view }: { call: Call; local: LocalMedia; view: RoomView }) {
  const t = useT();
  const conference = useStorePart(call.store, (state) => state.conference);
  const clockAhead = useStorePart(call.store, (state) => state.clockAhead ?? 0);
  const title = conference?.subject || t('room.untitled');
  useEffect(() => {
    document.title = t('room.pageTitle', { subject: title });
  }, [title, t]);
  // As chosen at an earlier share.
  useEffect(() => local.setShareOptions(readViewPreferences().share), [local]);
  return (
    <header className="room-header">
      <RoomTitle title={title} conference={conference} />
      {!view.isChatHidden && (
        <ChatPreview call={call} isChatOpen={view.openPanel === 'chat'} onOpen={() => view.setPanel('chat')} />
      )}
      {conference !== null && (
        <>
          <span className="room-number">{t('room.number', { number: grouped(conference.numericId) })}</span>
          <MeetingClock startedAt={conference.startedAt} clockAhead={clockAhead} />
        </>
      )}
      <ShareBar local={local} onOptions={(share) => view.choices.change({ share })} />
      <StatusBadges call={call} />
    </header>
  );
}

interface RoomControlsProps {
  call: Call;
  local: LocalMedia;
  control: Control;
  view: RoomView;
  /** False until the first picture shows: the space is kept, and the keys work. */
  isDrawn: boolean;
}

/** The toolbar and its keys. Apart from the room, because they follow more of the call than the pictures do. */
function RoomControls({ call, local, control, view, isDrawn }: RoomControlsProps) {
  const pictureInPicture = usePictureInPicture();
  const toolbar = useToolbar(call, local, view, useViewKeys(view.choices, pictureInPicture));
  useShortcuts(usePreferences().shortcuts, toolbar);
  return (
    <>
      {isDrawn ? <RoomFooter {...{ call, control, view, toolbar, pictureInPicture }} /> : <ToolbarSpace />}
      {toolbar.state.canShare && !toolbar.state.sharing && <ShareRequestDialog call={call} local={local} />}
    </>
  );
}

interface RoomFooterProps {
  call: Call;
  control: Control;
  view: RoomView;
  toolbar: RoomToolbar;
  pictureInPicture: PictureInPicture;
}

/** The toolbar, the menu of views above it, and the small window. */
function RoomFooter({ call, control, view, toolbar, pictureInPicture }: RoomFooterProps) {
  const state = useStorePart(call.store, (snapshot) => snapshot.control);
  const mayControl = useStorePart(call.store, ({ conference }) => conference?.me.can.control ?? false);
  const { choices, isViewMenuOpen, setViewMenuOpen } = view;
  return (
    <footer className="room-footer">
      {isViewMenuOpen && (
        <ViewMenu
          control={state}
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
      <Toolbar
        state={toolbar.state}
        onAction={toolbar.onToolbarAction}
        onReact={toolbar.onReact}
        record={
          <Suspense fallback={null}>
            <RecordControl call={call} />
          </Suspense>
        }
        hostMenu={
          mayControl && (
            <HostMenu
              call={call}
              control={control}
              onVote={() => view.setDialog('vote')}
              onEnd={() => view.setDialog('leave')}
            />
          )
        }
      />
    </footer>
  );
}

interface RoomDialogsProps {
  call: Call;
  control: Control;
  local: LocalMedia;
  view: RoomView;
}

function RoomDialogs({ call, control, local, view: { dialog, setDialog } }: RoomDialogsProps) {
  const conference = useStorePart(call.store, (state) => state.conference);
  // The browser reports the end of a dialog a moment later, when the next one may be open.
  const close = () => setDialog((current) => (current === dialog ? null : current));
  switch (dialog) {
    case 'leave':
      return <LeaveDialog call={call} onClose={close} />;
    case 'invite':
      return conference === null ? null : (
        <Suspense fallback={null}>
          <InviteDialog call={call} conference={conference} onClose={close} />
        </Suspense>
      );
    case 'vote':
      return (
        <Suspense fallback={null}>
          <VoteControlDialog call={call} control={control} onClose={close} />
        </Suspense>
      );
    case 'settings':
      return <Settings key={dialog} local={local} call={call} tab="audio" onClose={close} />;
    case 'video':
      return <Settings key={dialog} local={local} call={call} tab="video" onClose={close} />;
    case 'shortcuts':
      return <Settings key={dialog} local={local} call={call} tab="shortcuts" onClose={close} />;
    case null:
      return null;
  }
}
