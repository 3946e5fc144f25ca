import type { contract, Data } from '@rmeet/contract';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Call } from '../../../../call/index.ts';
import { reportError } from '../../../../lib/api/index.ts';
import { sendCommand, type CommandRequest } from '../../shared/commands.ts';
import { useStorePart } from '../../shared/use-store.ts';

/** Everybody expected, and which channels reach people outside. */
export type Inviting = Data<typeof contract.conferences.inviting>;

/** The people the meeting expects; read again when a person is called, answers, joins or leaves. */
export function useInviting(call: Call) {
  const changes = useStorePart(call.store, ({ callsChanged }) => callsChanged);
  const inside = useStorePart(call.store, ({ conference }) => conference?.terminals);
  const termIds = (inside ?? []).map(({ termId }) => termId).join(' ');
  return useQuery({
    queryKey: ['inviting', call.meetId, changes, termIds],
    queryFn: () => call.api.inviting({ params: { meetId: call.meetId } }),
    placeholderData: keepPreviousData,
    meta: { quiet: 'unloaded' },
  });
}

/** Sends commands about one person at a time; `busy` is the key of the one that is under way. */
export function useSending(call: Call) {
  const [busy, setBusy] = useState<string | null>(null);
  const client = useQueryClient();
  const send = async (key: string, command: CommandRequest): Promise<boolean> => {
    setBusy(key);
    try {
      await sendCommand(call.api, call.meetId, command);
      // Not only by the event: the push socket may be reconnecting.
      await client.invalidateQueries({ queryKey: ['inviting', call.meetId] });
      return true;
    } catch (error) {
      reportError(error);
      return false;
    } finally {
      setBusy(null);
    }
  };
  return { busy, send };
}
export type Sending = ReturnType<typeof useSending>;
