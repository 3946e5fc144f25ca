import { useMemo } from 'react';
import { useDeskPart } from '../context.ts';
import type { NameOf } from '../model/names.ts';

/**
 * Maps a termId to a name: of terminals inside, terminals that have left, waiting terminals and people being called.
 */
export function useNames(): NameOf {
  const control = useDeskPart(({ state }) => state.control.terminals);
  const waiting = useDeskPart(({ state }) => state.waiting);
  const invitees = useDeskPart(({ state }) => state.invitees);
  return useMemo(() => {
    const others = new Map([...waiting, ...invitees].map(({ termId, name }) => [termId, name]));
    return (termId) => control[termId]?.name ?? others.get(termId) ?? null;
  }, [control, waiting, invitees]);
}
