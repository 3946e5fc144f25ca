import type { CommandAnswer } from '@rmeet/contract';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Call } from '../../../../call/index.ts';
import { reportError } from '../../../../lib/api/index.ts';
import { commandsOf, type Commands } from './commands.ts';

/** Milliseconds in which the last command is offered to be taken back. */
const UNDO_TIME = 8_000;

/** What was done last, while it can be taken back. */
export interface Undoable {
  commandId: string;
  /** What was done, as a sentence. */
  text: string;
}

export interface Control {
  /** Gives a command. Its failure is told; with `done`, a sentence, it is offered to be taken back. */
  give: (command: (commands: Commands) => Promise<CommandAnswer | null>, done?: string) => Promise<boolean>;
  undoable: Undoable | null;
  undo: () => void;
}

/** The control of a conference in the hands of somebody inside. */
export function useControl(call: Call): Control {
  const commands = useMemo(() => commandsOf(call.api, call.meetId), [call]);
  const [undoable, setUndoable] = useState<Undoable | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const offer = (next: Undoable | null) => {
    clearTimeout(timer.current);
    setUndoable(next);
    if (next !== null) timer.current = setTimeout(() => setUndoable(null), UNDO_TIME);
  };
  const give: Control['give'] = async (command, done) => {
    try {
      const answer = await command(commands);
      offer(done === undefined || answer === null ? null : { commandId: answer.commandId, text: done });
      return true;
    } catch (error) {
      reportError(error);
      return false;
    }
  };
  return {
    give,
    undoable,
    undo: () => undoable !== null && void give(({ undo }) => undo(undoable.commandId)),
  };
}
