import type { ConferenceControl } from '@rmeet/conference';
import { useState } from 'react';
import { mayHaveOwnView } from '../shared/proceedings.ts';

export type RoomPanel = 'chat' | 'people';
export type RoomDialog = 'leave' | 'invite' | 'settings' | 'shortcuts';
export type RoomView = ReturnType<typeof useRoomView>;

/** What is open in this window, and whether the user has left the chair's layout. */
export function useRoomView(control: ConferenceControl, termId: string) {
  const [panel, setPanel] = useState<RoomPanel | null>(null);
  const [dialog, setDialog] = useState<RoomDialog | null>(null);
  const [reacting, setReacting] = useState(false);
  const [ownView, setOwnView] = useState(false);
  // An own view that is no longer allowed does not return by itself when it is allowed again.
  const mayOwnView = mayHaveOwnView(control, termId);
  if (ownView && !mayOwnView) setOwnView(false);
  const isChatHidden = control.window === 'HIDDEN';
  const openPanel = panel === 'chat' && isChatHidden ? null : panel;
  const togglePanel = (which: RoomPanel) => setPanel(panel === which ? null : which);
  return {
    openPanel,
    setPanel,
    togglePanel,
    dialog,
    setDialog,
    reacting,
    setReacting,
    ownView,
    setOwnView,
    mayOwnView,
    isChatHidden,
  };
}
