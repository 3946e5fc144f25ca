import { allowancesOf, leads } from '@rmeet/conference';
import type { Reaction } from '@rmeet/contract';
import type { Call, CallSnapshot, LocalMedia } from '../../../call/index.ts';
import { reportError } from '../../../lib/api/index.ts';
import { session } from '../../../lib/browser.ts';
import { toast } from '../../../lib/notify.ts';
import { useFullscreen } from '../shared/hooks.ts';
import { useStore } from '../shared/use-store.ts';
import { useT } from '../texts.ts';
import { turnOffDataMode } from './DataModeBadge.tsx';
import type { ShortcutHandlers } from './shortcuts.ts';
import type { ToolbarAction, ToolbarState } from './Toolbar.tsx';
import { useHeldMicrophone } from './useHeldMicrophone.ts';
import type { RoomView } from './useRoomView.ts';
import type { ViewKeys } from './useViewChoices.ts';

const CAN_SHARE =
  typeof navigator !== 'undefined' && 'getDisplayMedia' in ((navigator.mediaDevices as MediaDevices | undefined) ?? {});

export interface RoomToolbar extends ShortcutHandlers {
  state: ToolbarState;
  onToolbarAction: (action: ToolbarAction) => void;
  onReact: (reaction: Reaction) => void;
}

/** The state of the toolbar, and what its buttons and the room's shortcuts do. */
export function useToolbar(call: Call, local: LocalMedia, view: RoomView, viewKeys: ViewKeys): RoomToolbar {
  const t = useT();
  const snapshot = useStore(call.store);
  const media = useStore(local.store);
  const fullscreen = useFullscreen();
  const pictures = usePictureActions(call, local);
  const { conference, held } = snapshot;
  const signs = signsPart(snapshot, call.termId);
  const sharing = media.screen.video !== null;
  const { mayUnmute, speak } = useHeldMicrophone(call);

  const actions: Record<ToolbarAction, () => void> = {
    mic: () => (held.microphone ? speak() : void local.setOn('microphone', !media.microphone.on)),
    ...pictures,
    hand: () => void call.raiseHand(signs.handPlace === null).catch(reportError),
    react: () =>
      signs.reactionsOff ? toast('warning', () => t('reactions.offWhy')) : view.setReacting(!view.reacting),
    people: () => view.togglePanel('people'),
    chat: () => (view.isChatHidden ? toast('warning', () => t('held.chatHidden')) : view.togglePanel('chat')),
    files: () => view.togglePanel('files'),
    invite: () => view.setDialog('invite'),
    settings: () => view.setDialog('settings'),
    view: () => view.setViewMenuOpen(!view.isViewMenuOpen),
    fullscreen: () => fullscreen?.toggle(),
    shortcuts: () => view.setDialog('shortcuts'),
    leave: () => (conference?.me.can.end === true ? view.setDialog('leave') : void call.leave()),
  };

  return {
    state: {
      ...conferencePart(conference),
      held,
      mayUnmute,
      micOn: media.microphone.on,
      cameraOn: media.camera.on,
      sharing,
      canShare: CAN_SHARE,
      ...signs,
      reacting: view.reacting && !signs.reactionsOff,
      panel: view.openPanel,
      hasFiles: session.token !== null,
      chatHidden: view.isChatHidden,
      viewMenu: view.isViewMenuOpen,
      unread: snapshot.unread,
      fullscreen: fullscreen?.on ?? null,
    },
    onToolbarAction: (action) => actions[action](),
    onReact: reactIn(call),
    onAction: (action) => {
      if (action === 'grid' || action === 'pictureInPicture') viewKeys[action]();
      else if (action !== 'share' || CAN_SHARE) actions[action === 'help' ? 'shortcuts' : action]();
    },
    onTalk: (talking) => {
      if (!held.microphone) void local.setOn('microphone', talking);
      else if (talking) toast('warning', () => t(mayUnmute ? 'held.pressToUnmute' : 'held.raiseHand'));
    },
  };
}

/** What the buttons of camera and share do, or why nothing is sent: the chair holds it, or audio only is on. */
function usePictureActions(call: Call, local: LocalMedia): Record<'camera' | 'share', () => void> {
  const t = useT();
  const { held, dataMode } = useStore(call.store);
  const { camera, screen } = useStore(local.store);
  const warnAudioOnly = () =>
    toast('warning', () => t('self.mode.camera'), {
      label: () => t('self.mode.off'),
      run: () => turnOffDataMode(call),
    });
  return {
    camera: () => {
      if (held.camera) toast('warning', () => t('held.cameraHint'));
      else if (dataMode === 'audio') warnAudioOnly();
      else void local.setOn('camera', !camera.on);
    },
    share: () => {
      const { content } = held;
      if (content !== null) toast('warning', () => t(`held.share.${content}`));
      else if (dataMode === 'audio') warnAudioOnly();
      else if (screen.video !== null) local.stopShare();
      else void local.share();
    },
  };
}

/** Sends reactions of a call. */
const reactIn = (call: Call) => (reaction: Reaction) =>
  void call.api.react({ params: { meetId: call.meetId }, body: { reaction } }).catch(reportError);

/** The raised hand and reactions. */
function signsPart({ tiles, control }: CallSnapshot, termId: string): Pick<ToolbarState, 'handPlace' | 'reactionsOff'> {
  const handPlace = tiles.find((tile) => tile.own)?.handPlace ?? null;
  return { handPlace, reactionsOff: !allowancesOf(control).reactions && !leads(control, termId) };
}

function conferencePart(conference: CallSnapshot['conference']): Pick<ToolbarState, 'waiting' | 'canInvite'> {
  if (conference === null) return { waiting: 0, canInvite: false };
  const { me, waiting, invitation } = conference;
  return { waiting: me.can.admit ? waiting.length : 0, canInvite: invitation !== null };
}
