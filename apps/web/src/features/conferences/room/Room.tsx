import { useEffect, useState } from 'react';
import type { Call, LocalMedia } from '../../../call/index.ts';
import { reportError } from '../../../lib/api/index.ts';
import { toast } from '../../../lib/notify.ts';
import { maySelfUnmute } from '../model/control-news.ts';
import { readPreferences, rememberPreferences } from '../preferences.ts';
import { useT } from '../texts.ts';
import { useStore } from '../use-store.ts';
import { AskDialog } from './AskDialog.tsx';
import { Banner } from './Banner.tsx';
import { ChatPanel } from './ChatPanel.tsx';
import { UndoNotice } from './control/UndoNotice.tsx';
import { useControl } from './control/useControl.ts';
import { InviteDialog, LeaveDialog, SettingsDialog, ShortcutsDialog } from './dialogs.tsx';
import { useFullscreen, useLeaveWarning, useWakeLock } from './hooks.ts';
import { Messages } from './Messages.tsx';
import { PeoplePanel } from './PeoplePanel.tsx';
import { useShortcuts } from './shortcuts.ts';
import { Stage } from './Stage.tsx';
import { Standing } from './Standing.tsx';
import { Toolbar, type ToolbarAction } from './Toolbar.tsx';
import './room.css';

const CAN_SHARE = typeof navigator !== 'undefined' && 'getDisplayMedia' in ((navigator.mediaDevices as MediaDevices | undefined) ?? {});

/** The meeting itself. */
export function Room({ call, local }: { call: Call; local: LocalMedia }) {
  const t = useT();
  const { conference, control: state, held, tiles, speakers, unread } = useStore(call.store);
  const control = useControl(call);
  const media = useStore(local.store);
  const [panel, setPanel] = useState<'chat' | 'people' | null>(null);
  const [dialog, setDialog] = useState<'leave' | 'invite' | 'settings' | 'shortcuts' | null>(null);
  const [preferences, setPreferences] = useState(readPreferences);
  const fullscreen = useFullscreen();
  useLeaveWarning();
  useWakeLock();

  const subject = conference?.subject ?? '';
  useEffect(() => {
    document.title = t('room.pageTitle', { subject: subject || t('room.untitled') });
  }, [subject, t]);

  const handUp = tiles.some((tile) => tile.own && tile.handRaisedAt !== null);
  const sharing = media.screen.video !== null;
  const mayUnmute = maySelfUnmute(state, call.termId, conference?.me.can.control ?? false);
  const unmute = () => {
    if (mayUnmute) void call.unmute().catch(reportError);
    else toast('warning', t('held.raiseHand'));
  };
  const actions: Record<ToolbarAction, () => void> = {
    mic: () => (held.microphone ? unmute() : void local.setOn('microphone', !media.microphone.on)),
    camera: () => (held.camera ? toast('warning', t('held.cameraHint')) : void local.setOn('camera', !media.camera.on)),
    share: () => (sharing ? local.stopShare() : void local.share()),
    hand: () => void call.raiseHand(!handUp).catch(reportError),
    people: () => setPanel(panel === 'people' ? null : 'people'),
    chat: () => setPanel(panel === 'chat' ? null : 'chat'),
    invite: () => setDialog('invite'),
    settings: () => setDialog('settings'),
    fullscreen: () => fullscreen?.toggle(),
    shortcuts: () => setDialog('shortcuts'),
    leave: () => (conference?.me.can.end === true ? setDialog('leave') : void call.leave()),
  };
  useShortcuts(preferences.shortcuts, {
    onAction: (action) => (action === 'share' && !CAN_SHARE ? undefined : actions[action === 'help' ? 'shortcuts' : action]()),
    onTalk: (talking) => {
      if (!held.microphone) void local.setOn('microphone', talking);
      else if (talking) toast('warning', t(mayUnmute ? 'held.pressToUnmute' : 'held.raiseHand'));
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
        {conference !== null && <span className="room-number">{t('room.number', { number: grouped(conference.numericId) })}</span>}
        <Standing call={call} />
      </header>
      <div className="room-body">
        <main className="room-stage" aria-label={t('room.label')}>
          <Banner call={call} local={local} />
          <Stage call={call} control={state} tiles={tiles} speakers={speakers} />
          <Messages call={call} local={local} />
          <UndoNotice control={control} />
        </main>
        {panel === 'chat' && <ChatPanel call={call} onClose={() => setPanel(null)} />}
        {panel === 'people' && <PeoplePanel call={call} control={control} onClose={() => setPanel(null)} />}
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
            panel,
            unread,
            waiting: conference?.me.can.admit === true ? conference.waiting.length : 0,
            canInvite: conference !== null && conference.invitation !== null,
            fullscreen: fullscreen?.on ?? null,
          }}
          onAction={(action) => actions[action]()}
        />
      </footer>
      <AskDialog call={call} />
      {dialog === 'leave' && <LeaveDialog call={call} onClose={close} />}
      {dialog === 'invite' && conference !== null && <InviteDialog conference={conference} onClose={close} />}
      {dialog === 'settings' && <SettingsDialog local={local} onClose={close} />}
      {dialog === 'shortcuts' && <ShortcutsDialog enabled={preferences.shortcuts} onEnable={enableShortcuts} onClose={close} />}
    </div>
  );
}

/** `482 913 057`: three groups are easier to read out than nine digits. */
function grouped(number: string): string {
  return number.replace(/(\d{3})(?=\d)/g, '$1 ');
}
