import { UNDOABLE } from '@rmeet/conference';
import type { DeskState } from '@rmeet/contract';
import { createContext, useContext, useDeferredValue, useMemo } from 'react';
import { Store } from '../../../call/store.ts';
import type { ReadableStore, Watch } from '../../../call/index.ts';
import { ApiError, reportError } from '../../../lib/api/index.ts';
import { useStorePart } from '../shared/use-store.ts';
import { sendCommand, type CommandRequest, type ConferenceApi } from '../shared/commands.ts';
import type { DeskSnapshot } from './feed.ts';
import { NOTHING_SELECTED, WHOLE_LIST, moved, pick, type ListView, type Selection } from './model/listView.ts';
import type { TerminalRow } from './model/rows.ts';

/** `list`: the terminals, which are a tab only on phones. */
export type SideTab = 'list' | 'waiting' | 'proceed' | 'absent' | 'quality' | 'log';

/** What opens beside the actions. */
export type PanelName = 'layout' | 'content' | 'captions' | 'polling' | 'scenes' | 'entry' | 'extend';

export interface PanelProps {
  /** The button that the panel opens beside; the focus returns to it. */
  anchor: () => HTMLElement | null;
  onClose: () => void;
}

/** View state of one desk; it does not affect the conference. */
export interface DeskView {
  layout: 'list' | 'wall';
  list: ListView;
  selection: Selection;
  tab: SideTab;
  /** termId of the terminal whose streams dialog is open. */
  streamsOf: string | null;
  dialog: 'links' | 'help' | 'grants' | 'topology' | null;
  /** The panel open beside the actions. */
  panel: PanelName | null;
  screenOf: { part: 'layout' | 'captions'; termId: string } | null;
  /** The sound of the conference is played. */
  hears: boolean;
  /** termIds awaiting confirmation of their removal. */
  removing: readonly string[] | null;
}

/** What was just done, and how to undo it. */
export interface Done {
  id: number;
  command: CommandRequest;
  /** Set for a command that can be undone. */
  commandId: string | null;
}

/** How long the notice offers undo; ms. Afterwards the command can still be undone from the log. */
const DONE_SHOWN = 6_000;

/** One open desk: its data, its view state and its commands. The same object as long as it is open. */
export class Desk {
  readonly meetId: string;
  readonly api: ConferenceApi;
  readonly store: ReadableStore<DeskSnapshot>;
  readonly watch: Watch;
  /** Only accounts can create links. */
  readonly byLink: boolean;
  readonly view = new Store<DeskView>({
    layout: 'list',
    list: WHOLE_LIST,
    selection: NOTHING_SELECTED,
    tab: 'list',
    streamsOf: null,
    dialog: null,
    removing: null,
    panel: null,
    screenOf: null,
    hears: false,
  });
  readonly done = new Store<{ notices: readonly Done[] }>({ notices: [] });
  /** The version of the control that includes every command of this desk that was accepted. */
  answered = 0;
  #shown: readonly string[] = [];
  #count = 0;

  constructor(parts: Pick<Desk, 'meetId' | 'api' | 'store' | 'watch' | 'byLink'>) {
    this.meetId = parts.meetId;
    this.api = parts.api;
    this.store = parts.store;
    this.watch = parts.watch;
    this.byLink = parts.byLink;
  }

  /**
   * Sends a command and shows a notice; resolves with whether the server accepted it. A rejection is shown to the user.
   */
  async act(command: CommandRequest): Promise<boolean> {
    try {
      const answer = await sendCommand(this.api, this.meetId, command);
      this.answered = Math.max(this.answered, answer?.version ?? 0);
      const isUndoable = (UNDOABLE as readonly string[]).includes(command.verb);
      // Every desk shows what becomes of a recording, whoever asked.
      if (command.verb === 'record') return true;
      this.#tell({ id: ++this.#count, command, commandId: isUndoable ? (answer?.commandId ?? null) : null });
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      reportError(error);
      return false;
    }
  }

  /** termIds in the order in which the list shows them; a range selection follows this order. */
  showing(termIds: readonly string[]): void {
    this.#shown = termIds;
  }

  /** Selects a terminal: alone, added or removed (`toggle`), or the range up to it. */
  pick(termId: string, how: 'only' | 'toggle' | 'range'): void {
    this.view.set({ selection: pick(this.view.getSnapshot().selection, termId, how, this.#shown) });
  }

  /** Moves a terminal before another one in the order of the conference; to the end if `before` is null. */
  move(termId: string, before: string | null): void {
    if (termId !== before) void this.act({ verb: 'sort', termIds: moved(this.#shown, termId, before) });
  }

  forget(id: number): void {
    const { notices } = this.done.getSnapshot();
    this.done.set({ notices: notices.filter((each) => each.id !== id) });
  }

  #tell(done: Done): void {
    this.done.set({ notices: [done] });
    setTimeout(() => this.forget(done.id), DONE_SHOWN);
  }
}

export const DeskContext = createContext<Desk | null>(null);

export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (desk === null) throw new Error('outside of a desk');
  return desk;
}

/** Part of the desk's snapshot; the component renders again only if that part changes. */
export function useDeskPart<P>(part: (snapshot: DeskSnapshot & { state: DeskState }) => P): P {
  return useStorePart(useDesk().store, (snapshot) => part(snapshot as DeskSnapshot & { state: DeskState }));
}

/**
 * The terminals, for views that render all of them. If many change at once, they may lag by some frames, so that user
 * input is not blocked. Null until the first render of the rows.
 */
export function useRows(): readonly TerminalRow[] | null {
  return useDeferredValue<readonly TerminalRow[] | null>(
    useDeskPart(({ rows }) => rows),
    null,
  );
}

export function useView<P>(part: (view: DeskView) => P): P {
  return useStorePart(useDesk().view, part);
}

/** Whether this desk may use a verb, and if not, why; null if it may. */
export interface Rights {
  may(verb: string): boolean;
  /** One of CANNOT_REASONS. */
  cannot(verb: string, row?: Pick<TerminalRow, 'cannot'>): string | null;
}

export function useRights(): Rights {
  const can = useDeskPart(({ state }) => state.can);
  const impossible = useDeskPart(({ state }) => state.cannot);
  return useMemo(() => {
    const allowed = new Set(can);
    return { may: (verb) => allowed.has(verb), cannot: (verb, row) => impossible[verb] ?? row?.cannot[verb] ?? null };
  }, [can, impossible]);
}
