import { useEffect, useEffectEvent } from 'react';
import { pressKey, type KeyActions } from './keys.ts';
import type { Player } from './player.ts';

/** Keys control the player wherever the focus is on the page, unless something there needs them. */
export function usePlayerKeys(player: Player, actions: KeyActions): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!event.defaultPrevented && pressKey(event, player, actions)) event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}
