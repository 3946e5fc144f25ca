import { useEffect, useEffectEvent } from 'react';

export const SHORTCUTS = {
  m: 'mic',
  v: 'camera',
  s: 'share',
  h: 'hand',
  r: 'react',
  c: 'chat',
  p: 'people',
  f: 'fullscreen',
  g: 'grid',
  i: 'pictureInPicture',
  '?': 'help',
} as const;
export type ShortcutAction = (typeof SHORTCUTS)[keyof typeof SHORTCUTS];

/** The action of a key, given the element it was pressed on; null for keys that are no shortcut. */
export function shortcutOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'>,
  typing: boolean,
): ShortcutAction | 'talk' | null {
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return null;
  if (event.key === ' ') return 'talk';
  const key = event.key.toLowerCase();
  return key in SHORTCUTS ? SHORTCUTS[key as keyof typeof SHORTCUTS] : null;
}

export interface ShortcutHandlers {
  onAction: (action: ShortcutAction) => void;
  /** Space was pressed, or released. */
  onTalk: (talking: boolean) => void;
}

/**
 * Handles the room's keys, while mounted and `enabled`. Space talks as long as it is held, unless it presses a control.
 */
export function useShortcuts(enabled: boolean, handlers: ShortcutHandlers): void {
  const act = useEffectEvent(handlers.onAction);
  const talk = useEffectEvent(handlers.onTalk);
  useEffect(() => {
    if (!enabled) return undefined;
    let talking = false;
    const stopTalking = () => {
      if (!talking) return;
      talking = false;
      talk(false);
    };
    const down = (event: KeyboardEvent) => {
      const target = event.target instanceof HTMLElement ? event.target : null;
      const inDialog = target?.closest('dialog') !== null && target !== null;
      const action = shortcutOf(event, inDialog || isTyping(target));
      if (action === null || event.repeat) return;
      if (action !== 'talk') {
        event.preventDefault();
        act(action);
      } else if (!isControl(target)) {
        event.preventDefault();
        talking = true;
        talk(true);
      }
    };
    const up = (event: KeyboardEvent) => {
      if (event.key === ' ') stopTalking();
    };
    addEventListener('keydown', down);
    addEventListener('keyup', up);
    addEventListener('blur', stopTalking);
    return () => {
      removeEventListener('keydown', down);
      removeEventListener('keyup', up);
      removeEventListener('blur', stopTalking);
      stopTalking();
    };
  }, [enabled]);
}

function isTyping(target: HTMLElement | null): boolean {
  return (
    target !== null && (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))
  );
}

function isControl(target: HTMLElement | null): boolean {
  // A shared screen takes the focus for its own keys; Space is not one of them.
  return target?.closest('button, a, input, [tabindex="0"]:not(.zoom)') !== null && target !== null;
}
