import type { ConferenceControl } from '@rmeet/conference';
import { useState } from 'react';
import { useViewChoices } from './useViewChoices.ts';

export type RoomPanel = 'chat' | 'people' | 'files';
export type RoomDialog = 'leave' | 'invite' | 'vote' | 'settings' | 'video' | 'shortcuts';
export type RoomView = ReturnType<typeof useRoomView>;

/** What is open in this window, and how the user sees the meeting. */
export function useRoomView(control: ConferenceControl, termId: string) {
  const [panel, setPanel] = useState<RoomPanel | null>(null);
  const [dialog, setDialog] = useState<RoomDialog | null>(null);
  const [isViewMenuOpen, setViewMenuOpen] = useState(false);
  const [reacting, setReacting] = useState(false);
  const choices = useViewChoices(control, termId);
  const isChatHidden = control.window === 'HIDDEN';
  const openPanel = panel === 'chat' && isChatHidden ? null : panel;
  const togglePanel = (which: RoomPanel) => setPanel(panel === which ? null : which);
  return {
    openPanel,
    setPanel,
    togglePanel,
    dialog,
    setDialog,
    isViewMenuOpen,
    setViewMenuOpen,
    reacting,
    setReacting,
    choices,
    isChatHidden,
  };
}
