import { useEffect, useState } from 'react';
import type { Call, LocalMedia } from '../../../call/index.ts';
import { reportError } from '../../../lib/api/index.ts';
import { toast } from '../../../lib/notify.ts';
import { maySelfUnmute } from './model/control-news.ts';
import { readPreferences, rememberPreferences } from '../shared/preferences.ts';
import { useT } from '../texts.ts';
import { useStore } from '../shared/use-store.ts';
import { mayHaveOwnView } from '../shared/proceedings.ts';
import { AskDialog, AskShareDialog } from './RequestDialogs.tsx';
import { Banner } from './Banner.tsx';
import { CaptionsBanner } from '../shared/CaptionsBanner.tsx';
import { ChatPanel } from './ChatPanel.tsx';
import { UndoNotice } from './control/UndoNotice.tsx';
import { useControl } from './control/useControl.ts';
import { InviteDialog, LeaveDialog, SettingsDialog, ShortcutsDialog } from './dialogs.tsx';
import { useFullscreen, useLeaveWarning, useWakeLock } from '../shared/hooks.ts';
import { Messages } from './Messages.tsx';
import { PeoplePanel } from './PeoplePanel.tsx';
import { Proceedings } from './Proceedings.tsx';
import { useShortcuts } from './shortcuts.ts';
import { Stage } from './Stage.tsx';
import { Standing } from './StatusBadges.tsx';
import { Toolbar, type ToolbarAction } from './Toolbar.tsx';
import './room.css';

const CAN_SHARE =
  typeof navigator !== 'undefined' && 'getDisplayMedia' in ((navigator.mediaDevices as MediaDevices | undefined) ?? {});

/** The meeting itself. */
export function Room({ call, local }: { call: Call; local: LocalMedia }) {
  const t = useT();
  const { conference, control: state, held, tiles, speakers, unread, clockAhead } = useStore(call.store);
  const control = useControl(call);
  const media = useStore(local.store);
  const [panel, setPanel] = useState<'chat' | 'people' | null>(null);
  const [dialog, setDialog] = useState<'leave' | 'invite' | 'settings' | 'shortcuts' | null>(null);
  const [ownView, setOwnView] = useState(false);
  const [preferences, setPreferences] = useState(readPreferences);
  const fullscreen = useFullscreen();
  useLeaveWarning();
  useWakeLock();

  const subject = conference?.subject ?? '';
  useEffect(() => {
    document.title = t('room.pageTitle', { subject: subject || t('room.untitled') });
  }, [subject, t]);

  // Whoever may not have a view of their own any more does not fall back into it when they may again.
  const mayOwnView = mayHaveOwnView(state, call.termId);
  if (ownView && !mayOwnView) setOwnView(false);
  const chatHidden = state.window === 'HIDDEN';
  const open = panel === 'chat' && chatHidden ? null : panel;

  const handUp = tiles.some((tile) => tile.own && tile.handRaisedAt !== null);
  const sharing = media.screen.video !== null;
  const mayUnmute = maySelfUnmute(state, call.termId, conference?.me.can.control ?? false);
  const unmute = () => {
    if (mayUnmute) void call.unmute().catch(reportError);
    else toast('warning', () => t('held.raiseHand'));
  };
  const tellHeld = (content: NonNullable<typeof held.content>) => toast('warning', () => t(`held.share.${content}`));
  const actions: Record<ToolbarAction, () => void> = {
    mic: () => (held.microphone ? unmute() : void local.setOn('microphone', !media.microphone.on)),
    camera: () =>
      held.camera ? toast('warning', () => t('held.cameraHint')) : void local.setOn('camera', !media.camera.on),
    share: () => (held.content !== null ? tellHeld(held.content) : sharing ? local.stopShare() : void local.share()),
    hand: () => void call.raiseHand(!handUp).catch(reportError),
    people: () => setPanel(panel === 'people' ? null : 'people'),
    chat: () =>
      chatHidden ? toast('warning', () => t('held.chatHidden')) : setPanel(panel === 'chat' ? null : 'chat'),
    invite: () => setDialog('invite'),
    settings: () => setDialog('settings'),
    ownView: () => setOwnView(!ownView),
    fullscreen: () => fullscreen?.toggle(),
    shortcuts: () => setDialog('shortcuts'),
    leave: () => (conference?.me.can.end === true ? setDialog('leave') : void call.leave()),
  };
  useShortcuts(preferences.shortcuts, {
    onAction: (action) =>
      action === 'share' && !CAN_SHARE ? undefined : actions[action === 'help' ? 'shortcuts' : action](),
    onTalk: (talking) => {
      if (!held.microphone) void local.setOn('microphone', talking);
      else if (talking) toast('warning', () => t(mayUnmute ? 'held.pressToUnmute' : 'held.raiseHand'));
    },
  });

  const enableShortcuts = (shortcuts: boolean) => {
    const changed = { ...preferences, shortcuts };
    setPreferences(changed);
    rememberPreferences(changed);
  };
  const close = () => setDialog(null);

  return (
    <div className="room" data-testid="room">
      <header className="room-header">
        <h1 title={subject}>{subject || t('room.untitled')}</h1>
        {conference !== null && (
          <span className="room-number">{t('room.number', { number: grouped(conference.numericId) })}</span>
        )}
        <Standing call={call} />
      </header>
      <div className="room-body" data-window={open === 'chat' ? (state.window ?? undefined) : undefined}>
        <main className="room-stage" aria-label={t('room.label')}>
          <Banner call={call} local={local} />
          <Proceedings call={call} control={state} ownView={ownView} onChairsView={() => setOwnView(false)} />
          <Stage call={call} control={state} tiles={tiles} speakers={speakers} ownView={ownView}>
            <CaptionsBanner control={state} termId={call.termId} clockAhead={clockAhead ?? 0} />
          </Stage>
          <Messages call={call} local={local} />
          <UndoNotice control={control} />
        </main>
        {open === 'chat' && <ChatPanel call={call} onClose={() => setPanel(null)} />}
        {open === 'people' && <PeoplePanel call={call} control={control} onClose={() => setPanel(null)} />}
      </div>
      <footer>
        <Toolbar
          state={{
            held,
            micOn: media.microphone.on,
            cameraOn: media.camera.on,
            sharing,
            canShare: CAN_SHARE,
            handUp,
            panel: open,
            chatHidden,
            ownView: mayOwnView ? ownView : null,
            unread,
            waiting: conference?.me.can.admit === true ? conference.waiting.length : 0,
            canInvite: conference !== null && conference.invitation !== null,
            fullscreen: fullscreen?.on ?? null,
          }}
          onAction={(action) => actions[action]()}
        />
      </footer>
      <AskDialog call={call} />
      {CAN_SHARE && !sharing && <AskShareDialog call={call} local={local} />}
      {dialog === 'leave' && <LeaveDialog call={call} onClose={close} />}
      {dialog === 'invite' && conference !== null && <InviteDialog conference={conference} onClose={close} />}
      {dialog === 'settings' && <SettingsDialog local={local} onClose={close} />}
      {dialog === 'shortcuts' && (
        <ShortcutsDialog enabled={preferences.shortcuts} onEnable={enableShortcuts} onClose={close} />
      )}
    </div>
  );
}

/** `482 913 057`: three groups are easier to read out than nine digits. */
function grouped(number: string): string {
  return number.replace(/(\d{3})(?=\d)/g, '$1 ');
}
