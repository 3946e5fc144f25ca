import type { Db } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Media, MediaParticipant } from '../../../platform/media/index.ts';
import { findConference } from '../repo.ts';
import type { ConferenceRow } from '../tables.ts';
import { diffPermissions, roomMetadata } from './media-permissions.ts';
import { openRooms, type OpenRoom } from './media-rooms.ts';

type Conference = Pick<ConferenceRow, 'id' | 'tenantId' | 'meetingId'>;

export interface EnforcerDeps {
  db: Db;
  media: Media;
  log: Log;
  now: () => Date;
  /**
   * Records that the engine has applied every command up to version `upTo` of the control state, except for the
   * terminals in `failed`. This includes commands that failed before and are applied now.
   */
  acknowledge: (conference: Conference, done: { upTo: number; failed: readonly string[] }) => Promise<void>;
}

/** What this process knows of one conference on the engine. */
interface EngineState {
  isRunning: boolean;
  /** The control state changed during the current run. */
  isStale: boolean;
  /**
   * An update failed, or this process has made none yet: commands may still wait for the engine's acknowledgement.
   */
  isPending: boolean;
  /** Room metadata as set last. */
  metadata: string;
  /** Identities of terminals that published a spoofed track (see diffPermissions). */
  spoofers: Set<string>;
}

const initialState = (): EngineState => ({
  isRunning: false,
  isStale: false,
  isPending: true,
  metadata: '',
  spoofers: new Set<string>(),
});

/**
 * Keeps the media engine in line with the control state of each conference: what terminals may publish, their names,
 * and the room's public metadata. It compares states instead of following commands, so nothing depends on earlier
 * updates; the reconciler notices a failed one a second later.
 */
export class Enforcer {
  readonly #deps: EnforcerDeps;
  readonly #states = new Map<string, EngineState>();
  readonly #runs = new Set<Promise<void>>();

  constructor(deps: EnforcerDeps) {
    this.#deps = deps;
  }

  /** Updates the engine after a change of the control state. Calls during an update are merged into one. */
  changed(conference: Conference): void {
    const state = this.#stateOf(conference.id);
    state.isStale = true;
    if (state.isRunning) return;
    const started = this.#run(conference, state).finally(() => this.#runs.delete(started));
    this.#runs.add(started);
  }

  /**
   * Compares what the reconciler observed with the control state and starts an update where they differ.
   *
   * @returns whether they differ
   */
  review(conference: ConferenceRow, participants: readonly MediaParticipant[], metadata: string): boolean {
    const state = this.#stateOf(conference.id);
    const isCurrent = metadata === roomMetadata(conference.control);
    if (!isCurrent) state.metadata = metadata;
    const differs = !isCurrent || diffPermissions(conference.control, participants, state.spoofers).length > 0;
    if (differs || state.isPending) this.changed(conference);
    return differs;
  }

  /** Resolves when no update is in progress. */
  async idle(): Promise<void> {
    while (this.#runs.size > 0) await Promise.all(this.#runs);
  }

  #stateOf(id: string): EngineState {
    const state = this.#states.get(id) ?? initialState();
    this.#states.set(id, state);
    return state;
  }

  async #run(conference: Conference, state: EngineState): Promise<void> {
    state.isRunning = true;
    do {
      state.isStale = false;
      try {
        await this.#enforce(conference, state);
      } catch (error) {
        state.isPending = true;
        this.#deps.log.warn(
          { error, conferenceId: conference.id },
          'Updating the media engine failed; the next round of the reconciler retries',
        );
      }
    } while (state.isStale);
    state.isRunning = false;
  }

  /** Updates the rooms of a conference once, from its latest control state. */
  async #enforce(conference: Conference, state: EngineState): Promise<void> {
    const { db, media, now, acknowledge } = this.#deps;
    const row = await db.tenant(conference.tenantId, (tx) => findConference(tx, conference.id));
    if (!row || row.endedAt) {
      this.#states.delete(conference.id);
      return;
    }
    const { control } = row;
    const [room, ...previous] = openRooms(media, row, now());
    if (!room) return;
    const update = async (one: OpenRoom): Promise<string[]> => {
      const changes = diffPermissions(control, await one.media.listParticipants(one.name), state.spoofers);
      return one.media.updateParticipants(one.name, changes);
    };
    const [failed] = await Promise.all([update(room), setMetadata(room, roomMetadata(control), state)]);
    // Holds also apply to terminals that are still in the previous room, which may disappear at any time.
    await Promise.allSettled(previous.map(update));
    await acknowledge(conference, { upTo: control.version, failed });
    state.isPending = failed.length > 0;
  }
}

async function setMetadata(room: OpenRoom, metadata: string, state: EngineState): Promise<void> {
  if (metadata === state.metadata) return;
  await room.media.setRoomMetadata(room.name, metadata);
  state.metadata = metadata;
}
