import type { Db } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Media, MediaParticipant } from '../../../platform/media/index.ts';
import { mendsFor, roomFacts } from './media-permissions.ts';
import { roomsOf, type OpenRoom } from './lifecycle.ts';
import { findConference } from '../repo.ts';
import type { ConferenceRow } from '../tables.ts';

type Conference = Pick<ConferenceRow, 'id' | 'tenantId' | 'meetingId'>;

export interface EnforcerDeps {
  db: Db;
  media: Media;
  log: Log;
  now: () => Date;
  /**
   * Notes that the engine has done every command up to version `upTo` of the control, except for the terminals in
   * `failed`; also of commands that failed before and are done now.
   */
  acknowledge: (conference: Conference, done: { upTo: number; failed: readonly string[] }) => Promise<void>;
}

export interface Enforcer {
  /**
   * The control of a conference has changed, or the engine differs from it: brings the engine in line. Calls meanwhile
   * become one.
   */
  changed(conference: Conference): void;
  /** Compares what the reconciler saw with the control, and mends what differs. Answers whether anything does. */
  review(conference: ConferenceRow, participants: readonly MediaParticipant[], metadata: string): boolean;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

/** What this process knows of one conference on the engine. */
interface Work {
  isRunning: boolean;
  again: boolean;
  /** Something failed, or nothing was done here yet: commands may wait for the engine's acknowledgement. */
  isOwing: boolean;
  /** Room metadata as set last. */
  facts: string;
  liars: Set<string>;
}

/**
 * Brings the media engine in line with the control of each conference: what terminals may send, their names, and the
 * room's public facts. It compares instead of following commands, so that nothing depends on what was done before; what
 * fails is seen again by the reconciler a second later.
 */
export function createEnforcer({ db, media, log, now, acknowledge }: EnforcerDeps): Enforcer {
  const works = new Map<string, Work>();
  const runs = new Set<Promise<void>>();

  const workOf = (id: string): Work => {
    const work = works.get(id) ?? {
      isRunning: false,
      again: false,
      isOwing: true,
      facts: '',
      liars: new Set<string>(),
    };
    works.set(id, work);
    return work;
  };

  /** One pass over a conference, by its newest control. */
  async function enforce(conference: Conference, work: Work): Promise<void> {
    const row = await db.tenant(conference.tenantId, (tx) => findConference(tx, conference.id));
    if (!row || row.endedAt) {
      works.delete(conference.id);
      return;
    }
    const { control } = row;
    const [room, ...before] = roomsOf(media, row, now());
    if (!room) return;
    const tell = async (): Promise<void> => {
      const facts = roomFacts(control);
      if (facts === work.facts) return;
      await room.media.setRoomMetadata(room.name, facts);
      work.facts = facts;
    };
    const mend = async (one: OpenRoom): Promise<string[]> =>
      one.media.updateParticipants(one.name, mendsFor(control, await one.media.listParticipants(one.name), work.liars));
    const [failed] = await Promise.all([mend(room), tell()]);
    // Terminals that are still there are held, too; the room may be gone any moment.
    await Promise.allSettled(before.map(mend));
    await acknowledge(conference, { upTo: control.version, failed });
    work.isOwing = failed.length > 0;
  }

  async function run(conference: Conference, work: Work): Promise<void> {
    work.isRunning = true;
    do {
      work.again = false;
      try {
        await enforce(conference, work);
      } catch (error) {
        work.isOwing = true;
        log.warn(
          { error, conferenceId: conference.id },
          'The media engine was not brought in line; the next round tries again',
        );
      }
    } while (work.again);
    work.isRunning = false;
  }

  function changed(conference: Conference): void {
    const work = workOf(conference.id);
    work.again = true;
    if (work.isRunning) return;
    const started = run(conference, work).finally(() => runs.delete(started));
    runs.add(started);
  }

  return {
    changed,
    review(conference, participants, metadata) {
      const work = workOf(conference.id);
      const isTold = metadata === roomFacts(conference.control);
      if (!isTold) work.facts = metadata;
      const differs = !isTold || mendsFor(conference.control, participants, work.liars).length > 0;
      if (differs || work.isOwing) changed(conference);
      return differs;
    },
    async idle() {
      while (runs.size > 0) await Promise.all(runs);
    },
  };
}
