import type { Db, TenantTx } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { MediaParticipant } from '../../../platform/media/index.ts';
import { findRunning } from '../repo.ts';
import type { ConferenceRow } from '../tables.ts';
import { SERVER } from './authorization.ts';
import type { Control } from './control.ts';
import type { ConferenceRef } from './engine.ts';
import { findCandidates, followerOf, terminalsWithVideo, turnAfter, type Candidates } from './polling-turns.ts';

/** A turn that is due within this time is assigned at once: timers may fire a little early. */
const TOLERANCE = 20;

export interface PollingClockDeps {
  db: Db;
  control: Pick<Control, 'execute'>;
  log: Log;
  now: () => Date;
}

/** A polling round that this process drives. */
interface Round {
  timer: NodeJS.Timeout | undefined;
  /** When the next turn is due. */
  due: string | null;
  /** Terminals that sent video when the engine was last observed. */
  visible: ReadonlySet<string>;
}

/** Assigns turns as time passes, in the process that is responsible for the conferences. */
export class PollingClock {
  readonly #deps: PollingClockDeps;
  readonly #rounds = new Map<string, Round>();
  readonly #runs = new Set<Promise<void>>();

  constructor(deps: PollingClockDeps) {
    this.#deps = deps;
  }

  /**
   * Called about once a second with the participants on the engine: sets the timer for the next turn, and assigns it at
   * once if the current terminal or the next one has no video.
   */
  review({ id, tenantId, meetingId, control }: ConferenceRow, participants: readonly MediaParticipant[]): void {
    const { polling, terminals } = control;
    if (!polling) return this.#forget(id);
    const conference = { id, tenantId, meetingId };
    const round = this.#rounds.get(id) ?? { timer: undefined, due: null, visible: new Set<string>() };
    this.#rounds.set(id, round);
    round.visible = terminalsWithVideo(participants);
    if (round.due !== polling.switchAt) this.#setTimer(conference, round, polling.switchAt);
    const hasVideo = (termId: string | null | undefined): boolean =>
      typeof termId === 'string' &&
      terminals[termId]?.present === true &&
      (!polling.onlyVideo || round.visible.has(termId));
    if (this.#isDue(polling.switchAt) || !hasVideo(polling.turn?.termId) || !hasVideo(polling.next))
      this.#run(conference);
  }

  /** Forgets conferences that have ended or that another process is responsible for. */
  keepOnly(running: ReadonlySet<string>): void {
    for (const id of this.#rounds.keys()) if (!running.has(id)) this.#forget(id);
  }

  async stopAll(): Promise<void> {
    for (const id of this.#rounds.keys()) this.#forget(id);
    while (this.#runs.size > 0) await Promise.all(this.#runs);
  }

  #isDue(switchAt: string | null): boolean {
    return switchAt !== null && Date.parse(switchAt) - this.#deps.now().getTime() <= TOLERANCE;
  }

  #setTimer(conference: ConferenceRef, round: Round, switchAt: string | null): void {
    clearTimeout(round.timer);
    round.due = switchAt;
    round.timer =
      switchAt === null
        ? undefined
        : setTimeout(() => this.#run(conference), Math.max(0, Date.parse(switchAt) - this.#deps.now().getTime()));
  }

  #run(conference: ConferenceRef): void {
    const { log } = this.#deps;
    const started = this.#advance(conference)
      .catch((error: unknown) =>
        log.warn({ error, conferenceId: conference.id }, 'A polling turn was not assigned; the next round retries'),
      )
      .then(() => undefined)
      .finally(() => this.#runs.delete(started));
    this.#runs.add(started);
  }

  #forget(id: string): void {
    clearTimeout(this.#rounds.get(id)?.timer);
    this.#rounds.delete(id);
  }

  /**
   * Assigns the next turn if it is due or the current terminal has no video. Does nothing if it was assigned meanwhile.
   */
  async #advance({ id, tenantId, meetingId }: ConferenceRef): Promise<void> {
    const { db, control, now } = this.#deps;
    await db.tenant(tenantId, async (tx) => {
      const conference = await findRunning(tx, meetingId, true);
      const polling = conference?.control.polling;
      if (conference?.id !== id || !polling) return;
      const visible = this.#rounds.get(id)?.visible ?? new Set<string>();
      const isDue = this.#isDue(polling.switchAt);
      const candidates = await findCandidates(tx, conference.control, polling, visible);
      if (!isDue && hasTurn(conference, candidates)) {
        await this.#updateNext(tx, conference, candidates);
        return;
      }
      const due = isDue && polling.switchAt !== null ? new Date(polling.switchAt) : null;
      const turn = await turnAfter(tx, conference.control, visible, { step: 'next' }, due, now());
      // Without a candidate before and now, nothing changes.
      if (turn.termId !== null || polling.turn !== null) await control.execute(tx, conference, turn, SERVER, null);
    });
  }

  /** Names another terminal as next if the named one has left, or another one has video again. */
  async #updateNext(tx: TenantTx, conference: ConferenceRow, candidates: Candidates): Promise<void> {
    const { polling } = conference.control;
    if (!polling?.turn) return;
    const { termId, since } = polling.turn;
    const next = followerOf(candidates, termId);
    if (next === polling.next) return;
    const command = { verb: 'pollingTurn', termId, next, at: since, switchAt: polling.switchAt } as const;
    await this.#deps.control.execute(tx, conference, command, SERVER, null);
  }
}

/** Whether the terminal whose turn it is can have it: it is inside and has video, or no terminal has. */
function hasTurn({ control: { polling, terminals } }: ConferenceRow, { order, hasVideo }: Candidates): boolean {
  const turn = polling?.turn;
  if (!turn || terminals[turn.termId]?.present !== true) return false;
  return hasVideo(turn.termId) || order.length === 0;
}
