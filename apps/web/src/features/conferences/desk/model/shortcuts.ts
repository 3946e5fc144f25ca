/**
 * Keyboard shortcuts of the desk. Capital letters act on all terminals, small letters on the selected ones, or on the
 * one with the focus.
 */
export const SHORTCUTS = [
  { key: 'M', shown: ['Shift', 'M'], action: 'muteAll' },
  { key: 'U', shown: ['Shift', 'U'], action: 'unmuteAll' },
  { key: 'A', shown: ['Shift', 'A'], action: 'admitAll' },
  { key: 'L', shown: ['Shift', 'L'], action: 'lock' },
  { key: 'm', shown: ['M'], action: 'mute' },
  { key: 'v', shown: ['V'], action: 'camera' },
  { key: 'o', shown: ['O'], action: 'onAir' },
  { key: 'Delete', shown: ['Delete'], action: 'remove' },
  { key: 'z', shown: ['Z'], action: 'undo' },
  { key: '/', shown: ['/'], action: 'search' },
  { key: 'w', shown: ['W'], action: 'layout' },
  { key: 'l', shown: ['L'], action: 'openLayout' },
  { key: 'c', shown: ['C'], action: 'openCaptions' },
  { key: 'Escape', shown: ['Esc'], action: 'clear' },
  { key: '?', shown: ['?'], action: 'help' },
] as const;
export type ShortcutAction = (typeof SHORTCUTS)[number]['action'];

/** The action of a key; null for keys that are no shortcut, and for all keys while the user types. */
export function shortcutOf(
  {
    key,
    ctrlKey,
    metaKey,
    altKey,
    isComposing,
  }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'>,
  typing: boolean,
): ShortcutAction | null {
  if (typing || altKey || isComposing) return null;
  // The usual undo shortcut works here, too.
  if (ctrlKey || metaKey) return key === 'z' ? 'undo' : null;
  return SHORTCUTS.find((each) => each.key === key)?.action ?? null;
}
