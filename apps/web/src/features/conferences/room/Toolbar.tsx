import type { Reaction } from '@rmeet/contract';
import { useEffect, useRef, useState, type ReactNode, type Ref } from 'react';
import type { Held } from '../../../call/index.ts';
import { Icon, type IconName } from '../../../ui/icons.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import { useHasKeyboard } from '../shared/hooks.ts';
import { useT } from '../texts.ts';
import { useMediaQuery } from '../../../lib/useMediaQuery.ts';
import { cameraLabel, microphoneLabel } from './model/device-labels.ts';
import { ReactionChoices } from './ReactionPicker.tsx';
import './controls.css';

export interface ToolbarState {
  /** Held by the chair, regardless of what the user has switched on. */
  held: Held;
  /** Whether the chair lets the user end a mute. */
  mayUnmute: boolean;
  micOn: boolean;
  cameraOn: boolean;
  sharing: boolean;
  /** Null if the browser cannot share screens. */
  canShare: boolean;
  /** Position among the raised hands, from 1; null while the own hand is not raised. */
  handPlace: number | null;
  /** The chair has turned reactions off for the user. */
  reactionsOff: boolean;
  /** The choice of reactions is open. */
  reacting: boolean;
  panel: 'chat' | 'people' | 'files' | null;
  /** The user has an account, which the files of the meeting are for. */
  hasFiles: boolean;
  unread: number;
  waiting: number;
  canInvite: boolean;
  /** The chair has hidden the chat. */
  chatHidden: boolean;
  viewMenu: boolean;
  fullscreen: boolean | null;
}

export type ToolbarAction =
  | 'mic'
  | 'camera'
  | 'share'
  | 'hand'
  | 'react'
  | 'people'
  | 'chat'
  | 'files'
  | 'invite'
  | 'settings'
  | 'view'
  | 'fullscreen'
  | 'shortcuts'
  | 'leave';

interface ToolbarProps {
  state: ToolbarState;
  onAction: (action: ToolbarAction) => void;
  onReact: (reaction: Reaction) => void;
  /** The menu of people who lead the meeting. */
  hostMenu: ReactNode;
  /** The button that records, among the less used ones. */
  record: ReactNode;
}

/** The room's controls. If space is short, the less used ones move into a menu. */
export function Toolbar({ state, onAction, onReact, hostMenu, record }: ToolbarProps) {
  const t = useT();
  const compact = useMediaQuery('(max-width: 900px)');
  const hasRoom = useMediaQuery('(min-width: 1260px)');
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null);
  const props = { state, compact, onAction };
  const others = <OtherControls {...props} record={record} />;
  return (
    <div className={compact ? 'toolbar toolbar-compact' : 'toolbar'} role="toolbar" aria-label={t('toolbar.label')}>
      <MicrophoneControl {...props} />
      <CameraControl {...props} />
      {!compact && <ShareControl {...props} />}
      {!compact && <HandControl {...props} />}
      {!compact && <ReactionControl {...props} ref={setAnchor} />}
      <Control
        action="people"
        icon="people"
        label={t('toolbar.people')}
        pressed={state.panel === 'people'}
        badge={state.waiting}
        badgeText={t('toolbar.waitingCount', { count: state.waiting })}
        shortcut="P"
        onAction={onAction}
      />
      <ChatControl {...props} />
      {hostMenu}
      {hasRoom ? (
        others
      ) : (
        <More ref={compact ? setAnchor : undefined}>
          {compact && (
            <>
              {!state.reactionsOff && <ReactionChoices onReact={onReact} />}
              <ShareControl {...props} />
              <HandControl {...props} />
            </>
          )}
          {others}
        </More>
      )}
      <Control action="leave" icon="leave" label={t('toolbar.leave')} danger onAction={onAction} />
      {state.reacting && anchor !== null && (
        <Popover form label={t('reactions.title')} anchor={anchor} testId="reactions" onClose={() => onAction('react')}>
          <ReactionChoices
            onReact={(reaction) => {
              onReact(reaction);
              onAction('react');
            }}
          />
        </Popover>
      )}
    </div>
  );
}

/** Takes the toolbar's place until it is drawn. */
export function ToolbarSpace() {
  return (
    <footer className="toolbar" aria-hidden="true">
      <span className="control control-none">
        <span className="control-icon">
          <Icon name="mic" size={22} />
        </span>
        <span className="control-label">{'\u00a0'}</span>
      </span>
    </footer>
  );
}

interface PartProps extends Pick<ToolbarProps, 'state' | 'onAction'> {
  compact: boolean;
}

function MicrophoneControl({ state, onAction }: PartProps) {
  const t = useT();
  const common = { action: 'mic', shortcut: 'M', onAction } as const;
  const { held, micOn } = state;
  const isHeard = micOn && !held.microphone;
  return (
    <Control
      {...common}
      icon={isHeard ? 'mic' : 'micOff'}
      label={t(microphoneLabel(state))}
      why={held.microphone ? t('told.muted') : undefined}
      off={!isHeard}
      held={held.microphone}
    />
  );
}

function CameraControl({ state, compact, onAction }: PartProps) {
  const t = useT();
  const common = { action: 'camera', shortcut: 'V', onAction } as const;
  const { held, cameraOn } = state;
  const isSeen = cameraOn && !held.camera;
  return (
    <Control
      {...common}
      icon={isSeen ? 'camera' : 'cameraOff'}
      label={t(cameraLabel(state))}
      short={compact && held.camera ? t('toolbar.cameraHeldShort') : undefined}
      why={held.camera ? t('held.cameraHint') : undefined}
      off={!isSeen}
      held={held.camera}
    />
  );
}

function ShareControl({ state: { held, sharing, canShare }, onAction }: PartProps) {
  const t = useT();
  if (!canShare) return null;
  const common = { action: 'share', shortcut: 'S', onAction } as const;
  return held.content === null ? (
    <Control
      {...common}
      icon={sharing ? 'shareStop' : 'share'}
      label={t(sharing ? 'toolbar.shareStop' : 'toolbar.share')}
      pressed={sharing}
    />
  ) : (
    <Control
      {...common}
      icon="shareStop"
      label={t('toolbar.shareHeld')}
      why={t(`held.share.${held.content}`)}
      off
      held
    />
  );
}

function HandControl({ state: { handPlace }, onAction }: PartProps) {
  const t = useT();
  const isUp = handPlace !== null;
  return (
    <Control
      action="hand"
      icon="hand"
      label={t(isUp ? 'toolbar.handLower' : 'toolbar.handRaise')}
      pressed={isUp}
      badge={handPlace ?? 0}
      badgeText={isUp ? t('hands.yourPlace', { place: handPlace }) : ''}
      shortcut="H"
      onAction={onAction}
    />
  );
}

function ReactionControl({
  state: { reactionsOff, reacting },
  ref,
  onAction,
}: PartProps & { ref: Ref<HTMLButtonElement> }) {
  const t = useT();
  const common = { action: 'react', icon: 'react', shortcut: 'R', ref, onAction } as const;
  return reactionsOff ? (
    <Control {...common} label={t('reactions.off')} why={t('reactions.offWhy')} held />
  ) : (
    <Control {...common} label={t('reactions.short')} pressed={reacting} />
  );
}

function ChatControl({ state: { chatHidden, panel, unread }, onAction }: PartProps) {
  const t = useT();
  const common = { action: 'chat', icon: 'chat', shortcut: 'C', onAction } as const;
  return chatHidden ? (
    <Control {...common} label={t('toolbar.chatHidden')} why={t('held.chatHidden')} held />
  ) : (
    <Control
      {...common}
      label={t('toolbar.chat')}
      pressed={panel === 'chat'}
      badge={unread}
      badgeText={t('toolbar.unread', { count: unread })}
    />
  );
}

/** The less used controls. */
function OtherControls({
  state: { canInvite, hasFiles, panel, viewMenu, fullscreen },
  record,
  onAction,
}: PartProps & Pick<ToolbarProps, 'record'>) {
  const t = useT();
  const hasKeyboard = useHasKeyboard();
  return (
    <>
      {record}
      {hasFiles && (
        <Control action="files" icon="log" label={t('toolbar.files')} pressed={panel === 'files'} onAction={onAction} />
      )}
      {canInvite && <Control action="invite" icon="invite" label={t('toolbar.invite')} onAction={onAction} />}
      <Control action="view" icon="ownView" label={t('view.button')} pressed={viewMenu} onAction={onAction} />
      <Control action="settings" icon="devices" label={t('toolbar.settings')} onAction={onAction} />
      {fullscreen !== null && (
        <Control
          action="fullscreen"
          icon={fullscreen ? 'fullscreenExit' : 'fullscreen'}
          label={t(fullscreen ? 'toolbar.fullscreenExit' : 'toolbar.fullscreen')}
          shortcut="F"
          onAction={onAction}
        />
      )}
      {hasKeyboard && (
        <Control action="shortcuts" icon="keyboard" label={t('toolbar.shortcuts')} shortcut="?" onAction={onAction} />
      )}
    </>
  );
}

interface ControlProps<A extends string> {
  action: A;
  icon: IconName;
  label: string;
  /** A shorter visible label for when space is short. */
  short?: string | undefined;
  /** Why the button does not do what it usually does. */
  why?: string | undefined;
  onAction: (action: A) => void;
  /** Set for something that is open or active. */
  pressed?: boolean;
  /** Set for a device that is off. */
  off?: boolean;
  /** Set for a device that the chair holds. */
  held?: boolean;
  danger?: boolean;
  badge?: number;
  badgeText?: string;
  shortcut?: string;
  ref?: Ref<HTMLButtonElement>;
}

/** A button of the toolbar. */
export function Control<A extends string = ToolbarAction>({
  action,
  icon,
  label,
  short,
  why,
  onAction,
  shortcut,
  ref,
  ...look
}: ControlProps<A>) {
  const title = why ?? label;
  return (
    <button
      ref={ref}
      type="button"
      className={controlClass(look)}
      // Panels use aria-pressed; controls whose label changes with their state must not announce it twice.
      aria-pressed={action === 'chat' || action === 'people' || action === 'files' ? look.pressed : undefined}
      aria-expanded={action === 'view' || action === 'react' ? look.pressed : undefined}
      aria-label={short === undefined ? undefined : label}
      aria-description={why}
      aria-keyshortcuts={shortcut}
      title={shortcut === undefined ? title : `${title} (${shortcut})`}
      data-testid={`toolbar-${action}`}
      onClick={(event) => {
        // After a click with the pointer, Space is push-to-talk again and does not press this button.
        if (event.detail > 0) event.currentTarget.blur();
        onAction(action);
      }}
    >
      <span className="control-icon">
        <Icon name={icon} size={22} />
        <Badge action={action} count={look.badge ?? 0} text={look.badgeText ?? ''} />
      </span>
      <span className="control-label">{short ?? label}</span>
    </button>
  );
}

function controlClass({
  pressed,
  off,
  held,
  danger,
}: Pick<ControlProps<string>, 'pressed' | 'off' | 'held' | 'danger'>): string {
  const classes = [
    'control',
    pressed === true && 'control-pressed',
    off === true && 'control-off',
    held === true && 'control-held',
    danger === true && 'control-danger',
  ];
  return classes.filter(Boolean).join(' ');
}

function Badge({ action, count, text }: { action: string; count: number; text: string }) {
  if (count === 0) return null;
  return (
    <span className="control-badge" data-testid={`badge-${action}`}>
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="visually-hidden">{text}</span>
    </span>
  );
}

/** A menu above its button; a click outside, a choice, or Escape closes it. */
function More({ children, ref }: { children: ReactNode; ref: Ref<HTMLButtonElement> | undefined }) {
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
        ref={ref}
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
            // If chosen by keyboard, the focus would be lost with the menu, and a dialog could not return it.
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
