import { randomUUID } from 'node:crypto';
import { and, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { TerminalReport } from '@rmeet/contract';
import type { Db, PlatformTx, TenantTx } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Push, PushCaller } from '../../../platform/push/index.ts';
import { conference, mediaReport, type ConferenceRow } from '../tables.ts';

const SECOND = 1_000;
const INTERVAL = 2 * SECOND;
/** Reports that a terminal sends more often than this are ignored. */
const MIN_INTERVAL = SECOND;
/** Reports older than this are outdated. */
const MAX_AGE = 10 * SECOND;
/** How often a process announces which meetings are watched there, and how long the others rely on it. */
const ANNOUNCE_INTERVAL = 8 * SECOND;
const ANNOUNCEMENT_TTL = 25 * SECOND;
const CHANNEL = 'rmeet_looking';
/** Ids per notification, which holds 8,000 bytes at most. */
const IDS_PER_MESSAGE = 150;

interface StoredReport {
  meetId: string;
  conferenceId: string;
  tenantId: string;
  report: TerminalReport;
  at: number;
  /** Not yet sent to the desks of this process. */
  isUnsent: boolean;
  /** Not yet written for the desks of other processes. */
  isUnwritten: boolean;
}

interface ForeignReport {
  meetId: string;
  termId: string;
  report: TerminalReport;
  at: number;
}

export interface ReportsDeps {
  db: Db;
  push: Push;
  log: Log;
  now: () => Date;
  /** Called with each report, for the history of the conference. */
  onReport?:
    | ((terminal: { tenantId: string; conferenceId: string; termId: string }, report: TerminalReport) => void)
    | undefined;
}

const isDeskUser = (caller: PushCaller): boolean => caller.kind === 'desk' || caller.kind === 'user';
const topicOf = (meetId: string): string => `meeting:${meetId}`;

/** Deletes the reports of a conference that has ended. */
export async function dropReports(tx: TenantTx, conferenceId: string): Promise<void> {
  await tx.delete(mediaReport, eq(mediaReport.conferenceId, conferenceId));
}

/** Deletes reports that were written while their conference ended. */
export async function dropReportsBefore(tx: PlatformTx, time: Date): Promise<void> {
  await tx.delete(mediaReport, lt(mediaReport.at, time));
}

/** Writes reports to the database, in one statement. */
async function writeReports(db: Db, reports: readonly (readonly [string, StoredReport])[]): Promise<void> {
  const values = reports.map(([termId, { tenantId, conferenceId, report, at }]) => ({
    termId,
    tenantId,
    conferenceId,
    report,
    at: new Date(at),
  }));
  await db.platform((tx) =>
    tx.insert(mediaReport, values, {
      target: mediaReport.termId,
      set: { report: sql`excluded.report`, at: sql`excluded.at` },
    }),
  );
}

/** Reads what other processes have written since a time, of the running conferences of these meetings. */
async function readReports(tx: PlatformTx, meetIds: readonly string[], since: Date): Promise<ForeignReport[]> {
  const running = await tx.find(
    conference,
    and(inArray(conference.meetingId, [...meetIds]), isNull(conference.endedAt)),
  );
  if (running.length === 0) return [];
  const meetOf = new Map(running.map((row) => [row.id, row.meetingId]));
  const rows = await tx.find(
    mediaReport,
    and(inArray(mediaReport.conferenceId, [...meetOf.keys()]), gt(mediaReport.at, since)),
  );
  return rows.map(({ conferenceId, termId, report, at }) => ({
    meetId: meetOf.get(conferenceId) ?? '',
    termId,
    report,
    at: at.getTime(),
  }));
}

/**
 * The newest media report of each terminal. Reports arrive at the push socket of one server process and stay there;
 * that process sends them to its desks every two seconds. They are written to the database only while desks of another
 * process watch the meeting. Statistics are never stored as events and never sent through NOTIFY.
 */
export class Reports {
  readonly #deps: ReportsDeps;
  /** Reports of terminals with a socket here, by termId. */
  readonly #reports = new Map<string, StoredReport>();
  /** Meetings watched by desks with a socket here, or asked about here: when that was last seen. */
  readonly #watchedHere = new Map<string, number>();
  /** Meetings watched from another process: until when to rely on its announcement. */
  readonly #watchedElsewhere = new Map<string, number>();
  /** When the reports read from other processes were made, by termId. */
  readonly #readAt = new Map<string, number>();
  readonly #self = randomUUID();
  #announcedAt = Number.NEGATIVE_INFINITY;
  #listening: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #current: Promise<void> = Promise.resolve();
  #isFailing = false;

  constructor(deps: ReportsDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#current = this.#current.then(() => this.#round());
    }, INTERVAL);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#current;
  }

  /** A terminal reports its media. Accepted from terminals inside, about their own meeting, once a second at most. */
  reported(caller: PushCaller, topic: string, report: TerminalReport): void {
    if (caller.kind !== 'terminal' || caller.state !== 'admitted' || topic !== topicOf(caller.meetId)) return;
    const at = this.#deps.now().getTime();
    const before = this.#reports.get(caller.termId);
    if (before && at - before.at < MIN_INTERVAL) return;
    const { meetId, conferenceId, tenantId, termId } = caller;
    this.#reports.set(termId, { meetId, conferenceId, tenantId, report, at, isUnsent: true, isUnwritten: true });
    this.#deps.onReport?.(caller, report);
  }

  /** A meeting is watched from here, by a socket or a call. Announced at once if it was not watched before. */
  async watch(meetId: string): Promise<void> {
    const isNew = !this.#watchedHere.has(meetId);
    this.#watchedHere.set(meetId, this.#deps.now().getTime());
    if (isNew) await this.#announce([meetId]);
  }

  /**
   * The newest report of each terminal of a running conference, wherever it is connected; none older than ten seconds.
   */
  async newest({ id, meetingId }: Pick<ConferenceRow, 'id' | 'meetingId'>): Promise<Map<string, TerminalReport>> {
    await this.watch(meetingId);
    const found = new Map<string, TerminalReport>();
    for (const { termId, report } of await this.#read([meetingId])) found.set(termId, report);
    const at = this.#deps.now().getTime();
    for (const [termId, one] of this.#reports)
      if (one.conferenceId === id && at - one.at <= MAX_AGE && !found.has(termId)) found.set(termId, one.report);
    return found;
  }

  /** One round: listen to other processes, forget, announce, write, send. */
  async tick(): Promise<void> {
    await this.#listen();
    const at = this.#deps.now().getTime();
    this.#forgetOutdated(at);
    if (this.#watchedHere.size > 0 && at - this.#announcedAt >= ANNOUNCE_INTERVAL) {
      this.#announcedAt = at;
      await this.#announce([...this.#watchedHere.keys()]);
    }
    await this.#write();
    await this.#send();
  }

  async #round(): Promise<void> {
    try {
      await this.tick();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing)
        this.#deps.log.warn({ error }, 'Forwarding the reports of terminals failed; it is retried every two seconds');
      this.#isFailing = true;
    }
  }

  async #listen(): Promise<void> {
    this.#listening ??= this.#deps.db.listen(
      CHANNEL,
      (payload) => this.#onAnnouncement(payload),
      () => undefined,
    );
    try {
      await this.#listening;
    } catch (error) {
      this.#listening = undefined;
      throw error;
    }
  }

  /** Tells other processes which meetings are watched here. */
  async #announce(meetIds: readonly string[]): Promise<void> {
    for (let i = 0; i < meetIds.length; i += IDS_PER_MESSAGE) {
      const message = { from: this.#self, meetIds: meetIds.slice(i, i + IDS_PER_MESSAGE) };
      await this.#deps.db.notify(CHANNEL, JSON.stringify(message));
    }
  }

  #onAnnouncement(payload: string): void {
    const { from, meetIds } = JSON.parse(payload) as { from: string; meetIds: string[] };
    if (from === this.#self) return;
    const until = this.#deps.now().getTime() + ANNOUNCEMENT_TTL;
    for (const meetId of meetIds) this.#watchedElsewhere.set(meetId, until);
  }

  #forgetOutdated(at: number): void {
    for (const [termId, { at: since }] of this.#reports) if (at - since > MAX_AGE) this.#reports.delete(termId);
    for (const [termId, since] of this.#readAt) if (at - since > MAX_AGE) this.#readAt.delete(termId);
    for (const [meetId, until] of this.#watchedElsewhere) if (at > until) this.#watchedElsewhere.delete(meetId);
    for (const [meetId, since] of this.#watchedHere) {
      if (this.#deps.push.isFollowed(topicOf(meetId), isDeskUser)) this.#watchedHere.set(meetId, at);
      else if (at - since > ANNOUNCEMENT_TTL) this.#watchedHere.delete(meetId);
    }
  }

  /** Writes new reports of the meetings that are watched elsewhere. */
  async #write(): Promise<void> {
    const unwritten = [...this.#reports].filter(([, one]) => one.isUnwritten && this.#watchedElsewhere.has(one.meetId));
    if (unwritten.length === 0) return;
    await writeReports(this.#deps.db, unwritten);
    for (const [, one] of unwritten) one.isUnwritten = false;
  }

  /** Reports that other processes have written and that are newer than those received here. */
  async #read(meetIds: readonly string[]): Promise<ForeignReport[]> {
    const { db, now } = this.#deps;
    const since = new Date(now().getTime() - MAX_AGE);
    const found = await db.platform((tx) => readReports(tx, meetIds, since));
    return found.filter(({ termId, at }) => at > (this.#reports.get(termId)?.at ?? 0));
  }

  /** Sends new reports to the desks here, one message per meeting. */
  async #send(): Promise<void> {
    const { push } = this.#deps;
    const followed = [...this.#watchedHere.keys()].filter((meetId) => push.isFollowed(topicOf(meetId), isDeskUser));
    if (followed.length === 0) return;
    const fresh = new Map<string, Record<string, TerminalReport>>(followed.map((meetId) => [meetId, {}]));
    for (const { meetId, termId, report, at } of await this.#read(followed)) {
      const reports = fresh.get(meetId);
      if (reports && this.#readAt.get(termId) !== at) reports[termId] = report;
      this.#readAt.set(termId, at);
    }
    for (const [termId, one] of this.#reports) {
      const reports = one.isUnsent ? fresh.get(one.meetId) : undefined;
      if (!reports) continue;
      reports[termId] = one.report;
      one.isUnsent = false;
    }
    for (const [meetId, reports] of fresh) {
      if (Object.keys(reports).length === 0) continue;
      push.broadcast(topicOf(meetId), { topic: topicOf(meetId), reports }, isDeskUser);
    }
  }
}
