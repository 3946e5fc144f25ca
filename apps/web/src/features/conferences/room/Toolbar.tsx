import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Held } from '../../../call/index.ts';
import { Icon, type IconName } from '../../../ui/icons.tsx';
import { useT } from '../texts.ts';
import { useMediaQuery } from '../../../lib/useMediaQuery.ts';
import './controls.css';

export interface ToolbarState {
  /** By the chair, whatever the person has switched on. */
  held: Held;
  micOn: boolean;
  cameraOn: boolean;
  sharing: boolean;
  /** Null where the browser cannot share screens. */
  canShare: boolean;
  handUp: boolean;
  panel: 'chat' | 'people' | null;
  unread: number;
  waiting: number;
  canInvite: boolean;
  /** The chair has hidden the chat. */
  chatHidden: boolean;
  /** Whether one has left the chair's layout; null where there is none to leave, or one may not. */
  ownView: boolean | null;
  fullscreen: boolean | null;
}

export type ToolbarAction =
  | 'mic'
  | 'camera'
  | 'share'
  | 'hand'
  | 'people'
  | 'chat'
  | 'invite'
  | 'settings'
  | 'ownView'
  | 'fullscreen'
  | 'shortcuts'
  | 'leave';

interface ToolbarProps {
  state: ToolbarState;
  onAction: (action: ToolbarAction) => void;
}

/** The room's controls. Where there is no space for all, the seldom ones stand in a menu. */
export function Toolbar({ state, onAction }: ToolbarProps) {
  const t = useT();
  const compact = useMediaQuery('(max-width: 900px)');
  const control = (
    action: ToolbarAction,
    icon: IconName,
    label: string,
    more: Partial<ControlProps> = {},
  ): ReactNode => (
    <Control key={action} action={action} icon={icon} label={label} onClick={() => onAction(action)} {...more} />
  );
  const { held, micOn, cameraOn, sharing, handUp, panel, unread, waiting, fullscreen, ownView, chatHidden } = state;
  const share = !state.canShare
    ? null
    : held.content !== null
      ? control('share', 'shareStop', t('toolbar.shareHeld'), {
          why: t(`held.share.${held.content}`),
          off: true,
          held: true,
          shortcut: 'S',
        })
      : control('share', sharing ? 'shareStop' : 'share', t(sharing ? 'toolbar.shareStop' : 'toolbar.share'), {
          pressed: sharing,
          shortcut: 'S',
        });
  const hand = control('hand', 'hand', t(handUp ? 'toolbar.handLower' : 'toolbar.handRaise'), {
    pressed: handUp,
    shortcut: 'H',
  });
  const seldom = (
    <>
      {state.canInvite && control('invite', 'invite', t('toolbar.invite'))}
      {ownView !== null &&
        control('ownView', 'ownView', t(ownView ? 'toolbar.chairsView' : 'toolbar.ownView'), { pressed: ownView })}
      {control('settings', 'devices', t('toolbar.settings'))}
      {fullscreen !== null &&
        control(
          'fullscreen',
          fullscreen ? 'fullscreenExit' : 'fullscreen',
          t(fullscreen ? 'toolbar.fullscreenExit' : 'toolbar.fullscreen'),
          { shortcut: 'F' },
        )}
      {control('shortcuts', 'keyboard', t('toolbar.shortcuts'), { shortcut: '?' })}
    </>
  );
  return (
    <div className={compact ? 'toolbar toolbar-compact' : 'toolbar'} role="toolbar" aria-label={t('toolbar.label')}>
      {held.microphone
        ? control('mic', 'micOff', t('toolbar.micHeld'), {
            short: compact ? t('toolbar.micHeldShort') : undefined,
            off: true,
            held: true,
            shortcut: 'M',
          })
        : control('mic', micOn ? 'mic' : 'micOff', t(micOn ? 'toolbar.micOff' : 'toolbar.micOn'), {
            off: !micOn,
            shortcut: 'M',
          })}
      {held.camera
        ? control('camera', 'cameraOff', t('toolbar.cameraHeld'), {
            short: compact ? t('toolbar.cameraHeldShort') : undefined,
            off: true,
            held: true,
            shortcut: 'V',
          })
        : control('camera', cameraOn ? 'camera' : 'cameraOff', t(cameraOn ? 'toolbar.cameraOff' : 'toolbar.cameraOn'), {
            off: !cameraOn,
            shortcut: 'V',
          })}
      {!compact && share}
      {!compact && hand}
      {control('people', 'people', t('toolbar.people'), {
        pressed: panel === 'people',
        badge: waiting,
        badgeText: t('toolbar.waitingCount', { count: waiting }),
        shortcut: 'P',
      })}
      {chatHidden
        ? control('chat', 'chat', t('toolbar.chatHidden'), { why: t('held.chatHidden'), held: true, shortcut: 'C' })
        : control('chat', 'chat', t('toolbar.chat'), {
            pressed: panel === 'chat',
            badge: unread,
            badgeText: t('toolbar.unread', { count: unread }),
            shortcut: 'C',
          })}
      {compact ? (
        <More>
          {share}
          {hand}
          {seldom}
        </More>
      ) : (
        seldom
      )}
      {control('leave', 'leave', t('toolbar.leave'), { danger: true })}
    </div>
  );
}

interface ControlProps {
  action: ToolbarAction;
  icon: IconName;
  label: string;
  /** What of the label is shown where there is little space. */
  short?: string | undefined;
  /** Why it does nothing now; its label only says that it does not. */
  why?: string;
  onClick: () => void;
  /** Something that is open or at work. */
  pressed?: boolean;
  /** A device that is off. */
  off?: boolean;
  /** A device that the chair holds. */
  held?: boolean;
  danger?: boolean;
  badge?: number;
  badgeText?: string;
  shortcut?: string;
}

function Control({
  action,
  icon,
  label,
  short,
  why,
  onClick,
  pressed,
  off = false,
  held = false,
  danger = false,
  badge = 0,
  badgeText = '',
  shortcut,
}: ControlProps) {
  const classes = [
    'control',
    pressed === true ? 'control-pressed' : '',
    off ? 'control-off' : '',
    held ? 'control-held' : '',
    danger ? 'control-danger' : '',
  ];
  return (
    <button
      type="button"
      className={classes.filter(Boolean).join(' ')}
      // What is opened is pressed; what changes its words with its state must not say it twice.
      aria-pressed={action === 'chat' || action === 'people' ? pressed : undefined}
      aria-label={why ?? (short === undefined ? undefined : label)}
      aria-keyshortcuts={shortcut}
      title={shortcut === undefined ? (why ?? label) : `${why ?? label} (${shortcut})`}
      data-testid={`toolbar-${action}`}
      onClick={(event) => {
        // After a click with the pointer the space bar is for talking again, not for the same button.
        if (event.detail > 0) event.currentTarget.blur();
        onClick();
      }}
    >
      <span className="control-icon">
        <Icon name={icon} size={22} />
        {badge > 0 && (
          <span className="control-badge" data-testid={`badge-${action}`}>
            <span aria-hidden="true">{badge > 99 ? '99+' : badge}</span>
            <span className="visually-hidden">{badgeText}</span>
          </span>
        )}
      </span>
      <span className="control-label">{short ?? label}</span>
    </button>
  );
}

/** A menu above its button; a click elsewhere, a choice, or Escape closes it. */
function More({ children }: { children: ReactNode }) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && root.current?.contains(event.target) !== true) setOpen(false);
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      root.current?.querySelector('button')?.focus();
    };
    addEventListener('pointerdown', outside);
    addEventListener('keydown', escape);
    return () => {
      removeEventListener('pointerdown', outside);
      removeEventListener('keydown', escape);
    };
  }, [open]);
  return (
    <div ref={root} className="more">
      <button
        type="button"
        className="control"
        aria-expanded={open}
        data-testid="toolbar-more"
        onClick={() => setOpen(!open)}
      >
        <span className="control-icon">
          <Icon name="more" size={22} />
        </span>
        <span className="control-label">{t('toolbar.more')}</span>
      </button>
      {open && (
        <div
          className="more-menu"
          onClick={(event) => {
            // Chosen by keyboard: the focus would go with the menu, and a dialog could not give it back.
            if (event.detail === 0) root.current?.querySelector('button')?.focus();
            setOpen(false);
          }}
        >
          {children}
        </div>
      )}
    </div>
  );
}
