import { and, eq } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import { Rounds } from '../../../platform/rounds/index.ts';
import type { ReportRecording } from '../../conferences/index.ts';
import { conference } from '../../conferences/tables.ts';
import { recording, type RecordingRow } from '../tables.ts';
import { ClockWatch } from './clock-watch.ts';
import { isFree, isUnfinished } from './leases.ts';
import { finishOf } from './port.ts';
import { spaceOf } from './space.ts';

const SECOND = 1_000;
const INTERVAL = SECOND;
/** A conference is told that nothing records it after a recording had no recorder for this long. */
const NO_RECORDER = 15 * SECOND;
/** What remains of a recording is not waited for longer than this, if no recorder comes back for it. */
const GIVE_UP = 3_600 * SECOND;

export interface WatchdogDeps {
  db: Db;
  log: Log;
  now: () => Date;
  report: ReportRecording;
  needRecorder: () => void;
}

/** Since when a recording has no recorder, as far as its row says so; one that was given back does not. */
function freeSince({ leaseUntil, startedAt, bytes }: RecordingRow, seenAt: Date): Date {
  return leaseUntil ?? (bytes === 0 ? startedAt : seenAt);
}

/** Looks for recordings without a recorder, in every server process: asks for one, and says where there is none. */
export class Watchdog {
  readonly #deps: WatchdogDeps;
  readonly #rounds: Rounds;
  /** Since when recordings are seen without a recorder. */
  #freeSince = new Map<string, Date>();

  constructor(deps: WatchdogDeps) {
    this.#deps = deps;
    const clock = new ClockWatch(deps.now);
    this.#rounds = new Rounds({
      run: async () => {
        if (clock.isSettled()) await this.tick();
      },
      interval: () => INTERVAL,
      onFailure: (error) => deps.log.warn({ error }, 'Recordings could not be checked; it is retried each second'),
    });
  }

  start(): void {
    this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  /** One round. */
  async tick(): Promise<void> {
    const { db, needRecorder, now } = this.#deps;
    const rows = await db.platform((tx) => tx.find(recording, and(isUnfinished, isFree(now()))));
    if (rows.length > 0) needRecorder();
    const at = now();
    this.#freeSince = new Map(rows.map((row) => [row.id, this.#freeSince.get(row.id) ?? freeSince(row, at)]));
    for (const row of rows) await this.#settle(row, at);
  }

  async #settle(row: RecordingRow, at: Date): Promise<void> {
    const { db } = this.#deps;
    const waited =
      at.getTime() - Math.max(this.#freeSince.get(row.id)!.getTime(), (row.endedAt ?? row.startedAt).getTime());
    if (row.state === 'processing') {
      if (waited >= GIVE_UP) await this.#giveUp(row);
      return;
    }
    await db.tenant(row.tenantId, async (tx) => {
      const of = await tx.findOne(conference, eq(conference.id, row.conferenceId));
      if (!of || of.endedAt) await finishOf(tx, row.conferenceId, of?.endedAt ?? at);
      else if (waited >= NO_RECORDER) await this.#reportFailed(tx, row);
    });
  }

  async #reportFailed(tx: TenantTx, row: RecordingRow): Promise<void> {
    const { isLow: isSpaceLow } = await spaceOf(tx);
    const report = { status: 'FAILED', trouble: 'noRecorder', isSpaceLow } as const;
    await this.#deps.report(tx, row, report, () => Promise.resolve(report));
  }

  /** No recorder came back: what is stored already is the recording. */
  async #giveUp({ id, tenantId, bytes }: RecordingRow): Promise<void> {
    const { db, log } = this.#deps;
    const state = bytes > 0 ? ('ready' as const) : ('failed' as const);
    await db.tenant(tenantId, (tx) =>
      tx.update(
        recording,
        { state, trouble: 'noRecorder' },
        allOf(eq(recording.id, id), eq(recording.state, 'processing')),
      ),
    );
    log.warn({ recordingId: id, state }, 'No recorder finished a recording');
  }
}
