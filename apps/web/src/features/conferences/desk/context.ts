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

export type SideTab = 'waiting' | 'proceed' | 'absent' | 'quality' | 'log';

/** What one desk looks at; the conference does not change by it. */
export interface DeskView {
  layout: 'list' | 'wall';
  list: ListView;
  selection: Selection;
  tab: SideTab;
  /** termId whose streams are open. */
  streamsOf: string | null;
  dialog: 'links' | 'help' | 'grants' | 'topology' | null;
  /** What is open of what is shown where: beside the acts, or of one terminal. */
  panel: 'layout' | 'content' | 'captions' | null;
  screenOf: { part: 'layout' | 'captions'; termId: string } | null;
  /** termIds that are about to be removed. */
  removing: readonly string[] | null;
}

/** What was just done, with the way back. */
export interface Done {
  id: number;
  command: CommandRequest;
  /** Of a command that can be taken back. */
  commandId: string | null;
}

/** How long somebody has to take a command back from its notice; ms. The log keeps the way back after that. */
const DONE_SHOWN = 6_000;

/** One open desk: what is shown, what is looked at, and the way to act. Stays the same object as long as it is open. */
export class Desk {
  readonly meetId: string;
  readonly api: ConferenceApi;
  readonly store: ReadableStore<DeskSnapshot>;
  readonly watch: Watch;
  /** Links are made by accounts alone. */
  readonly byLink: boolean;
  readonly view = new Store<DeskView>({
    layout: 'list',
    list: WHOLE_LIST,
    selection: NOTHING_SELECTED,
    tab: 'waiting',
    streamsOf: null,
    dialog: null,
    removing: null,
    panel: null,
    screenOf: null,
  });
  readonly done = new Store<{ notices: readonly Done[] }>({ notices: [] });
  /** The control's version that has all that was asked here and taken. */
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

  /** Gives a command and says so; resolves with whether the server took it. A refusal is told to the person. */
  async act(command: CommandRequest): Promise<boolean> {
    try {
      const answer = await sendCommand(this.api, this.meetId, command);
      this.answered = Math.max(this.answered, answer?.version ?? 0);
      const isUndoable = (UNDOABLE as readonly string[]).includes(command.verb);
      this.#tell({ id: ++this.#count, command, commandId: isUndoable ? (answer?.commandId ?? null) : null });
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      reportError(error);
      return false;
    }
  }

  /** termIds as the list shows them now; a range is one of these. */
  showing(termIds: readonly string[]): void {
    this.#shown = termIds;
  }

  /** Selects a terminal: alone, as one more (or no more), or all up to it. */
  pick(termId: string, how: 'only' | 'toggle' | 'range'): void {
    this.view.set({ selection: pick(this.view.getSnapshot().selection, termId, how, this.#shown) });
  }

  /** Moves a terminal before another one in the order of the conference; to its end where `before` is null. */
  move(termId: string, before: string | null): void {
    if (termId !== before) void this.act({ verb: 'sort', termIds: moved(this.#shown, termId, before) });
  }

  forget(id: number): void {
    const { notices } = this.done.getSnapshot();
    this.done.set({ notices: notices.filter((each) => each.id !== id) });
  }

  #tell(done: Done): void {
    const { notices } = this.done.getSnapshot();
    this.done.set({ notices: [...notices, done].slice(-2) });
    setTimeout(() => this.forget(done.id), DONE_SHOWN);
  }
}

export const DeskContext = createContext<Desk | null>(null);

export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (desk === null) throw new Error('outside of a desk');
  return desk;
}

/** A part of what the desk shows; the component renders again only when that part is another. */
export function useDeskPart<P>(part: (snapshot: DeskSnapshot & { state: DeskState }) => P): P {
  return useStorePart(useDesk().store, (snapshot) => part(snapshot as DeskSnapshot & { state: DeskState }));
}

/**
 * The terminals, for views that draw all of them: where many change at once they may lag by some frames, so that the
 * browser is not kept from what somebody presses meanwhile. Null for the moment before the first are drawn.
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

/** Whether a verb is the receiver's to use, and if so why it cannot be all the same; null where it can. */
export interface Rights {
  may(verb: string): boolean;
  /** A word of CANNOT_REASONS. */
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
