import { useEffect, useEffectEvent } from 'react';
import type { DeskState } from '@rmeet/contract';
import type { CommandRequest } from '../shared/commands.ts';
import { useDesk, useRights, type Desk, type Rights } from './context.ts';
import { NOTHING_SELECTED } from './model/listView.ts';
import { lastUndoable } from './model/log.ts';
import { shortcutOf, type ShortcutAction } from './model/shortcuts.ts';

const TYPING = 'input:not([type=checkbox]):not([type=range]), textarea, select, [contenteditable]';

/** The terminal whose row has the focus; shortcuts use it if none is selected. */
function focusedTerminal(): string | null {
  return document.activeElement?.closest<HTMLElement>('[data-term]')?.dataset['term'] ?? null;
}

/** What each shortcut currently does. Shortcuts require the same rights as the buttons. */
function shortcutActions(desk: Desk, rights: Rights, state: DeskState): Record<ShortcutAction, () => void> {
  const { rows } = desk.store.getSnapshot();
  const { selection, layout } = desk.view.getSnapshot();
  const focused = focusedTerminal();
  const ids = selection.ids.size === 0 && focused !== null ? new Set([focused]) : selection.ids;
  const termIds = [...ids];
  const chosen = rows.filter(({ termId }) => ids.has(termId));
  const can = (verb: string): boolean => rights.may(verb) && rights.cannot(verb) === null;
  const send = (command: CommandRequest, isApplicable = true): void => {
    if (isApplicable && can(command.verb)) void desk.act(command);
  };
  const muteAll = (muted: boolean) => send({ verb: 'muteAll', muted, except: [], allowSelfUnmute: null });
  return {
    muteAll: () => muteAll(true),
    unmuteAll: () => muteAll(false),
    admitAll: () =>
      send({ verb: 'admit', termIds: state.waiting.map(({ termId }) => termId) }, state.waiting.length > 0),
    lock: () => send({ verb: 'lock', locked: !state.control.locked }),
    mute: () => send({ verb: 'mute', termIds, muted: chosen.some(({ muted }) => !muted) }, chosen.length > 0),
    camera: () =>
      send({ verb: 'camera', termIds, open: chosen.every(({ cameraOff }) => cameraOff) }, chosen.length > 0),
    onAir: () => {
      const [one] = chosen;
      if (one !== undefined) send({ verb: 'speaker', termId: one.onAir ? null : one.termId }, chosen.length === 1);
    },
    remove: () => {
      if (can('remove') && termIds.length > 0) desk.view.set({ removing: termIds });
    },
    undo: () => {
      const command = lastUndoable(state.commands);
      if (command !== null) send({ verb: 'undo', commandId: command.commandId });
    },
    search: () => document.querySelector<HTMLElement>('[data-testid="desk-search"]')?.focus(),
    layout: () => desk.view.set({ layout: layout === 'list' ? 'wall' : 'list' }),
    openLayout: () => {
      if (can('layout')) desk.view.set({ panel: 'layout' });
    },
    openCaptions: () => {
      if (can('banner')) desk.view.set({ panel: 'captions' });
    },
    clear: () => desk.view.set({ selection: NOTHING_SELECTED }),
    help: () => desk.view.set({ dialog: 'help' }),
  };
}

/** Handles the desk's keyboard shortcuts while mounted. */
export function useShortcuts(): void {
  const desk = useDesk();
  const rights = useRights();
  const run = useEffectEvent((action: ShortcutAction): void => {
    const { state } = desk.store.getSnapshot();
    if (state !== null) shortcutActions(desk, rights, state)[action]();
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
