import { useCallback, useEffect, useRef, useState } from 'react';
import type { Call } from '../../../../call/index.ts';
import { reportError } from '../../../../lib/api/index.ts';
import { sendCommand, type CommandRequest } from '../../shared/commands.ts';

/** How long undo is offered for the last command; ms. */
const UNDO_TIME = 8_000;

/** The last command, while it can be undone. */
export interface Undoable {
  commandId: string;
  /** What was done, as a sentence. */
  text: string;
}

export interface Control {
  /**
   * Sends a command and reports its failure; the same function at each render. With `done`, a sentence, undo is
   * offered. Resolves with success.
   */
  send: (command: CommandRequest, done?: string) => Promise<boolean>;
  undoable: Undoable | null;
  undo: () => void;
}

/** Sends commands to the conference of a call. */
export function useControl(call: Call): Control {
  const [undoable, setUndoable] = useState<Undoable | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const send: Control['send'] = useCallback(
    async (command, done) => {
      try {
        const answer = await sendCommand(call.api, call.meetId, command);
        const next = done === undefined || answer === null ? null : { commandId: answer.commandId, text: done };
        clearTimeout(timer.current);
        setUndoable(next);
        if (next !== null) timer.current = setTimeout(() => setUndoable(null), UNDO_TIME);
        return true;
      } catch (error) {
        reportError(error);
        return false;
      }
    },
    [call],
  );
  return {
    send,
    undoable,
    undo: () => undoable !== null && void send({ verb: 'undo', commandId: undoable.commandId }),
  };
}
