import { useEffect, useRef, useState } from 'react';
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
  /** Sends a command and reports its failure. With `done`, a sentence, undo is offered. Resolves with success. */
  send: (command: CommandRequest, done?: string) => Promise<boolean>;
  undoable: Undoable | null;
  undo: () => void;
}

/** Sends commands to the conference of a call. */
export function useControl(call: Call): Control {
  const [undoable, setUndoable] = useState<Undoable | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const offer = (next: Undoable | null) => {
    clearTimeout(timer.current);
    setUndoable(next);
    if (next !== null) timer.current = setTimeout(() => setUndoable(null), UNDO_TIME);
  };
  const send: Control['send'] = async (command, done) => {
    try {
      const answer = await sendCommand(call.api, call.meetId, command);
      offer(done === undefined || answer === null ? null : { commandId: answer.commandId, text: done });
      return true;
    } catch (error) {
      reportError(error);
      return false;
    }
  };
  return {
    send,
    undoable,
    undo: () => undoable !== null && void send({ verb: 'undo', commandId: undoable.commandId }),
  };
}
