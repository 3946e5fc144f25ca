import { useMemo, useSyncExternalStore } from 'react';
import { Player, type Played, type PlayerState } from './player.ts';

/** A player of the recording as it is edited now, or of the whole. It begins anew if `startAt` changes. */
export function usePlayer({ recording: { id, tracks, edit }, signer, whole, startAt }: Played): Player {
  return useMemo(
    () => new Player({ recording: { id, tracks, edit }, signer, whole, startAt }),
    [id, tracks, edit, signer, whole, startAt],
  );
}

/** What it does now. */
export function usePlayerState(player: Player): PlayerState {
  return useSyncExternalStore(player.subscribe, player.get);
}
