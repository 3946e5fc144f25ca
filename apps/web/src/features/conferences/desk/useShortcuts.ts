import { useEffect, useEffectEvent } from 'react';
import { useDesk, useRights } from './context.ts';
import { NOTHING_SELECTED } from './model/listView.ts';
import { lastUndoable } from './model/log.ts';
import { shortcutOf, type ShortcutAction } from './model/shortcuts.ts';

const TYPING = 'input:not([type=checkbox]):not([type=range]), textarea, select, [contenteditable]';

/** The terminal in whose row the focus is; it is meant where none is selected. */
function focusedTerminal(): string | null {
  return document.activeElement?.closest<HTMLElement>('[data-term]')?.dataset['term'] ?? null;
}

/** The keys of the desk, while mounted. What somebody may not do, no key does. */
export function useShortcuts(): void {
  const desk = useDesk();
  const rights = useRights();

  const run = useEffectEvent((action: ShortcutAction): void => {
    const { state, rows } = desk.store.getSnapshot();
    const { selection, layout } = desk.view.getSnapshot();
    if (state === null) return;
    const can = (verb: string): boolean => rights.may(verb) && rights.cannot(verb) === null;
    const focused = focusedTerminal();
    const ids = selection.ids.size === 0 && focused !== null ? new Set([focused]) : selection.ids;
    const termIds = [...ids];
    const chosen = rows.filter(({ termId }) => ids.has(termId));
    switch (action) {
      case 'muteAll':
      case 'unmuteAll':
        if (can('muteAll'))
          void desk.act({ verb: 'muteAll', muted: action === 'muteAll', except: [], allowSelfUnmute: null });
        return;
      case 'admitAll':
        if (can('admit') && state.waiting.length > 0)
          void desk.act({ verb: 'admit', termIds: state.waiting.map(({ termId }) => termId) });
        return;
      case 'lock':
        if (can('lock')) void desk.act({ verb: 'lock', locked: !state.control.locked });
        return;
      case 'mute':
        if (can('mute') && chosen.length > 0)
          void desk.act({ verb: 'mute', termIds, muted: chosen.some(({ muted }) => !muted) });
        return;
      case 'camera':
        if (can('camera') && chosen.length > 0)
          void desk.act({ verb: 'camera', termIds, open: chosen.every(({ cameraOff }) => cameraOff) });
        return;
      case 'onAir': {
        const [one] = chosen;
        if (can('speaker') && one !== undefined && chosen.length === 1)
          void desk.act({ verb: 'speaker', termId: one.onAir ? null : one.termId });
        return;
      }
      case 'remove':
        if (can('remove') && termIds.length > 0) desk.view.set({ removing: termIds });
        return;
      case 'undo': {
        const command = lastUndoable(state.commands);
        if (can('undo') && command !== null) void desk.act({ verb: 'undo', commandId: command.commandId });
        return;
      }
      case 'search':
        document.querySelector<HTMLElement>('[data-testid="desk-search"]')?.focus();
        return;
      case 'layout':
        desk.view.set({ layout: layout === 'list' ? 'wall' : 'list' });
        return;
      case 'openLayout':
        if (can('layout')) desk.view.set({ panel: 'layout' });
        return;
      case 'openCaptions':
        if (can('banner')) desk.view.set({ panel: 'captions' });
        return;
      case 'clear':
        desk.view.set({ selection: NOTHING_SELECTED });
        return;
      case 'help':
        desk.view.set({ dialog: 'help' });
    }
  });

  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const target = event.target instanceof HTMLElement ? event.target : null;
      const isTyping = target?.matches(TYPING) === true || document.querySelector('dialog[open]') !== null;
      const action = shortcutOf(event, isTyping);
      if (action === null || event.repeat || event.defaultPrevented) return;
      event.preventDefault();
      run(action);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}
