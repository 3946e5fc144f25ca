import { layoutOf, type LayoutCell } from '@rmeet/conference';
import { useMemo } from 'react';
import { createPortal } from 'react-dom';
import type { Call, Tile } from '../../../../call/index.ts';
import { Icon, type IconName } from '../../../../ui/icons.tsx';
import { usePresent, useSame } from '../../shared/hooks.ts';
import { colourOf, initialsOf } from '../../shared/initials.ts';
import { usePictures } from '../../shared/use-pictures.ts';
import { useStore } from '../../shared/use-store.ts';
import { Video } from '../../shared/Video.tsx';
import { useT } from '../../texts.ts';
import { cameraLabel, microphoneLabel } from '../model/device-labels.ts';
import type { ToolbarAction, ToolbarState } from '../Toolbar.tsx';
import './pip.css';

interface PictureInPictureProps {
  target: Window;
  call: Call;
  mirror: boolean;
  state: ToolbarState;
  onAction: (action: ToolbarAction) => void;
}

/** The content of the small window: who speaks or what is shared, and the user's own devices. */
export function PictureInPictureWindow({ target, call, mirror, state, onAction }: PictureInPictureProps) {
  const t = useT();
  const { tiles } = useStore(call.store);
  const cell = useMainPicture(call);
  usePictures(
    call.pictures,
    'pip',
    useMemo(() => (cell === null ? [] : [cell]), [cell]),
  );
  const tile = tiles.find(({ key }) => key === cell?.key);
  return createPortal(
    <div className="room pip" data-testid="pip">
      <div className="pip-picture">
        {tile !== undefined && <PipPicture tile={tile} mirror={mirror} />}
        <p className="pip-name">{tile?.name ?? ''}</p>
      </div>
      <div className="pip-controls" role="toolbar" aria-label={t('toolbar.label')}>
        <Devices state={state} onAction={onAction} />
        <PipButton
          action="leave"
          icon="leave"
          label={t('toolbar.leave')}
          danger
          onAction={(action) => {
            // A choice between leaving and ending is asked in the room's own window.
            onAction(action);
            target.close();
            window.focus();
          }}
        />
      </div>
    </div>,
    target.document.body,
  );
}

function PipPicture({ tile: { video, kind, name, termId }, mirror }: { tile: Tile; mirror: boolean }) {
  if (video !== null) return <Video video={video} whole={kind === 'screen'} mirror={mirror} label={name} />;
  return (
    <div className="tile-avatar pip-avatar" style={{ background: colourOf(termId) }} aria-hidden="true">
      {initialsOf(name)}
    </div>
  );
}

/** The user's own microphone and camera. */
function Devices({ state, onAction }: Pick<PictureInPictureProps, 'state' | 'onAction'>) {
  const t = useT();
  const { held, micOn, cameraOn } = state;
  const [isHeard, isSeen] = [micOn && !held.microphone, cameraOn && !held.camera];
  return (
    <>
      <PipButton
        action="mic"
        icon={isHeard ? 'mic' : 'micOff'}
        label={t(microphoneLabel(state))}
        off={!isHeard}
        onAction={onAction}
      />
      <PipButton
        action="camera"
        icon={isSeen ? 'camera' : 'cameraOff'}
        label={t(cameraLabel(state))}
        off={!isSeen}
        onAction={onAction}
      />
    </>
  );
}

/** The picture that the room would put on its stage, for a small screen. */
function useMainPicture(call: Call): Pick<LayoutCell, 'key' | 'ask'> | null {
  const { control, tiles, speakers } = useStore(call.store);
  const { terminals, sharing } = usePresent(tiles);
  const recent = useSame(speakers.recent);
  return useMemo(() => {
    const screen = { width: 480, height: 270, density: 1 };
    const { cells } = layoutOf({
      control,
      terminals,
      sharing,
      speakers: recent,
      me: call.termId,
      screen,
      view: 'SPEAKER',
    });
    return cells.find(({ area, seat }) => area === 'stage' || seat === 1) ?? cells[0] ?? null;
  }, [call, control, terminals, sharing, recent]);
}

function PipButton({
  action,
  icon,
  label,
  off = false,
  danger = false,
  onAction,
}: {
  action: ToolbarAction;
  icon: IconName;
  label: string;
  off?: boolean;
  danger?: boolean;
  onAction: (action: ToolbarAction) => void;
}) {
  return (
    <button
      type="button"
      className={`pip-button ${off ? 'pip-button-off' : ''} ${danger ? 'pip-button-danger' : ''}`}
      aria-label={label}
      title={label}
      data-testid={`pip-${action}`}
      onClick={() => onAction(action)}
    >
      <Icon name={icon} size={20} />
    </button>
  );
}
