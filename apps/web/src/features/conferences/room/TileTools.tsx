import type { Corner } from '@rmeet/conference';
import type { KeyboardEvent, ReactNode } from 'react';
import { Icon, type IconName } from '../../../ui/icons.tsx';
import { useT } from '../texts.ts';
import { cornerOfKey } from './model/corners.ts';

/** What can be done with the own picture while it lies in a corner. */
export interface CornerActions {
  corner: Corner;
  onCorner: (corner: Corner) => void;
  onHide: () => void;
}

interface TileToolsProps {
  name: string;
  pinned: boolean;
  /** Null if pinning is not allowed. */
  onPin: ((on: boolean) => void) | null;
  full: boolean;
  /** Null if the browser has no full screen. */
  onFull: (() => void) | null;
  /** The menu of commands for the person. */
  children?: ReactNode;
}

/** Buttons of a tile, which appear with the pointer or the focus on it. */
export function TileTools({ name, pinned, onPin, full, onFull, children }: TileToolsProps) {
  const t = useT();
  return (
    <div className="tile-tools">
      {children}
      {onPin !== null && !full && (
        <Tool
          name="pin"
          icon="pin"
          label={t(pinned ? 'room.unpin' : 'room.pin', { name })}
          pressed={pinned}
          onClick={() => onPin(!pinned)}
        />
      )}
      {onFull !== null && (
        <Tool
          name="full"
          icon={full ? 'fullscreenExit' : 'fullscreen'}
          label={t(full ? 'view.fullExit' : 'view.full', { name })}
          onClick={onFull}
        />
      )}
    </div>
  );
}

/** Buttons of the own picture in a corner: arrow keys, or presses one after the other, move it. */
export function CornerTools({ corner, onCorner, onHide }: CornerActions) {
  const t = useT();
  const keys = (event: KeyboardEvent) => {
    const next = cornerOfKey(corner, event.key);
    if (next === null) return;
    event.preventDefault();
    onCorner(next);
  };
  return (
    <div className="tile-tools">
      <Tool
        name="move"
        icon="move"
        label={t('view.move', { corner: t(`view.corners.${corner}`) })}
        onClick={() => onCorner(AROUND[corner])}
        onKeyDown={keys}
      />
      <Tool name="hide" icon="hide" label={t('view.hideSelf')} onClick={onHide} />
    </div>
  );
}

/** Clockwise. */
const AROUND: Record<Corner, Corner> = {
  'top-left': 'top-right',
  'top-right': 'bottom-right',
  'bottom-right': 'bottom-left',
  'bottom-left': 'top-left',
};

function Tool({
  name,
  icon,
  label,
  pressed,
  onClick,
  onKeyDown,
}: {
  name: string;
  icon: IconName;
  label: string;
  pressed?: boolean;
  onClick: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
}) {
  return (
    <button
      type="button"
      className={`tile-tool tile-${name}`}
      aria-pressed={pressed}
      aria-label={label}
      title={label}
      data-testid={`tool-${name}`}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      <Icon name={icon} size={18} />
    </button>
  );
}
