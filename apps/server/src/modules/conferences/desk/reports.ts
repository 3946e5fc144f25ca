import { randomUUID } from 'node:crypto';
import { and, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { TerminalReport } from '@rmeet/contract';
import type { Db, PlatformTx, TenantTx } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Push, PushCaller } from '../../../platform/push/index.ts';
import { conference, mediaReport, type ConferenceRow } from '../tables.ts';

const SECOND = 1_000;
const INTERVAL = 2 * SECOND;
/** A terminal that tells more often than this is not listened to. */
const MIN_INTERVAL = SECOND;
/** A report older than this tells nothing any more. */
const FRESH = 10 * SECOND;
/** How often a process says that somebody looks, and how long the others believe it. */
const SAY_EVERY = 8 * SECOND;
const BELIEVED = 25 * SECOND;
const CHANNEL = 'rmeet_looking';
/** Ids per notification, which holds 8,000 bytes at most. */
const IDS_PER_MESSAGE = 150;

interface Held {
  meetId: string;
  conferenceId: string;
  tenantId: string;
  report: TerminalReport;
  at: number;
  /** Not told to the desks of this process yet; not written for those of others yet. */
  isUntold: boolean;
  isUnwritten: boolean;
}

export interface ReportsDeps {
  db: Db;
  push: Push;
  log: Log;
  now: () => Date;
  /** Keeps what is to be known of a terminal's media when the conference is over. */
  heard?:
    | ((terminal: { tenantId: string; conferenceId: string; termId: string }, report: TerminalReport) => void)
    | undefined;
}

const isOnlooker = (caller: PushCaller): boolean => caller.kind === 'desk' || caller.kind === 'user';
const topicOf = (meetId: string): string => `meeting:${meetId}`;

/** Forgets what was written of a conference, which is over. */
export async function dropReports(tx: TenantTx, conferenceId: string): Promise<void> {
  await tx.delete(mediaReport, eq(mediaReport.conferenceId, conferenceId));
}

/** Forgets reports that were written while their conference ended. */
export async function dropReportsBefore(tx: PlatformTx, time: Date): Promise<void> {
  await tx.delete(mediaReport, lt(mediaReport.at, time));
}

/**
 * The newest report of each terminal. They come in on the push socket of one server process and are kept there; desks
 * at this process get them every two seconds. Only while somebody looks at another process are they written to the
 * database, where that one reads them; statistics are never stored as events and never sent through NOTIFY.
 */
export function createReports({ db, push, log, now, heard: keep }: ReportsDeps) {
  /** Of terminals with a socket here, by termId. */
  const held = new Map<string, Held>();
  /** Meetings whose desks have a socket here, or are asked about here: when that was last seen. */
  const lookedAt = new Map<string, number>();
  /** Meetings somebody looks at from another process: until when that is believed. */
  const elsewhere = new Map<string, number>();
  /** When the reports read from others were made, by termId. */
  const readAt = new Map<string, number>();
  const self = randomUUID();
  let saidAt = Number.NEGATIVE_INFINITY;
  let listening: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = Promise.resolve();
  let isFailing = false;

  /** Tells the other processes who is looked at here; at once for one that is new. */
  async function say(meetIds: readonly string[]): Promise<void> {
    for (let i = 0; i < meetIds.length; i += IDS_PER_MESSAGE) {
      await db.notify(CHANNEL, JSON.stringify({ from: self, meetIds: meetIds.slice(i, i + IDS_PER_MESSAGE) }));
    }
  }

  function heard(payload: string): void {
    const { from, meetIds } = JSON.parse(payload) as { from: string; meetIds: string[] };
    if (from !== self) for (const meetId of meetIds) elsewhere.set(meetId, now().getTime() + BELIEVED);
  }

  async function look(meetId: string): Promise<void> {
    const isNew = !lookedAt.has(meetId);
    lookedAt.set(meetId, now().getTime());
    if (isNew) await say([meetId]);
  }

  function forgetOld(at: number): void {
    for (const [termId, { at: since }] of held) if (at - since > FRESH) held.delete(termId);
    for (const [termId, since] of readAt) if (at - since > FRESH) readAt.delete(termId);
    for (const [meetId, until] of elsewhere) if (at > until) elsewhere.delete(meetId);
    for (const [meetId, since] of lookedAt) {
      if (push.isFollowed(topicOf(meetId), isOnlooker)) lookedAt.set(meetId, at);
      else if (at - since > BELIEVED) lookedAt.delete(meetId);
    }
  }

  /** Writes what is new of the meetings looked at elsewhere, in one statement. */
  async function write(): Promise<void> {
    const rows = [...held].filter(([, one]) => one.isUnwritten && elsewhere.has(one.meetId));
    if (rows.length === 0) return;
    const values = rows.map(([termId, { tenantId, conferenceId, report, at }]) => ({
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
    for (const [, one] of rows) one.isUnwritten = false;
  }

  /** What others have written of the running conferences of these meetings and is newer than what came in here. */
  async function read(
    tx: PlatformTx,
    meetIds: readonly string[],
  ): Promise<{ meetId: string; termId: string; report: TerminalReport; at: number }[]> {
    const running = await tx.find(
      conference,
      and(inArray(conference.meetingId, [...meetIds]), isNull(conference.endedAt)),
    );
    if (running.length === 0) return [];
    const meetOf = new Map(running.map((row) => [row.id, row.meetingId]));
    const since = new Date(now().getTime() - FRESH);
    const rows = await tx.find(
      mediaReport,
      and(inArray(mediaReport.conferenceId, [...meetOf.keys()]), gt(mediaReport.at, since)),
    );
    return rows
      .map(({ conferenceId, termId, report, at }) => ({
        meetId: meetOf.get(conferenceId) ?? '',
        termId,
        report,
        at: at.getTime(),
      }))
      .filter(({ termId, at }) => at > (held.get(termId)?.at ?? 0));
  }

  /** Tells the desks here what is new, each of them in one message. */
  async function tell(): Promise<void> {
    const followed = [...lookedAt.keys()].filter((meetId) => push.isFollowed(topicOf(meetId), isOnlooker));
    if (followed.length === 0) return;
    const fresh = new Map<string, Record<string, TerminalReport>>(followed.map((meetId) => [meetId, {}]));
    for (const { meetId, termId, report, at } of await db.platform((tx) => read(tx, followed))) {
      const reports = fresh.get(meetId);
      if (reports && readAt.get(termId) !== at) reports[termId] = report;
      readAt.set(termId, at);
    }
    for (const [termId, one] of held) {
      const reports = one.isUntold ? fresh.get(one.meetId) : undefined;
      if (!reports) continue;
      reports[termId] = one.report;
      one.isUntold = false;
    }
    for (const [meetId, reports] of fresh) {
      if (Object.keys(reports).length > 0) push.tell(topicOf(meetId), { topic: topicOf(meetId), reports }, isOnlooker);
    }
  }

  async function listen(): Promise<void> {
    listening ??= db.listen(CHANNEL, heard, () => undefined);
    try {
      await listening;
    } catch (error) {
      listening = undefined;
      throw error;
    }
  }

  /** One round: listen to the others, forget, say, write, tell. */
  async function tick(): Promise<void> {
    await listen();
    const at = now().getTime();
    forgetOld(at);
    if (lookedAt.size > 0 && at - saidAt >= SAY_EVERY) {
      saidAt = at;
      await say([...lookedAt.keys()]);
    }
    await write();
    await tell();
  }

  async function round(): Promise<void> {
    try {
      await tick();
      isFailing = false;
    } catch (error) {
      if (!isFailing)
        log.warn({ error }, 'Reports of terminals could not be passed on; trying again every two seconds');
      isFailing = true;
    }
  }

  return {
    tick,
    /** Somebody looks at a meeting from here, by a socket or a call. */
    look,

    /** A terminal tells of its media; heard where it is inside, about its own meeting, and once a second at most. */
    reported(caller: PushCaller, topic: string, report: TerminalReport): void {
      if (caller.kind !== 'terminal' || caller.state !== 'admitted' || topic !== topicOf(caller.meetId)) return;
      const at = now().getTime();
      const before = held.get(caller.termId);
      if (before && at - before.at < MIN_INTERVAL) return;
      const { meetId, conferenceId, tenantId, termId } = caller;
      held.set(termId, { meetId, conferenceId, tenantId, report, at, isUntold: true, isUnwritten: true });
      keep?.(caller, report);
    },

    /**
     * The newest report of each terminal of a running conference, wherever it is connected; none older than ten
     * seconds.
     */
    async newest({ id, meetingId }: Pick<ConferenceRow, 'id' | 'meetingId'>): Promise<Map<string, TerminalReport>> {
      await look(meetingId);
      const found = new Map<string, TerminalReport>();
      for (const { termId, report } of await db.platform((tx) => read(tx, [meetingId]))) found.set(termId, report);
      const at = now().getTime();
      for (const [termId, one] of held)
        if (one.conferenceId === id && at - one.at <= FRESH && !found.has(termId)) found.set(termId, one.report);
      return found;
    },

    start(): void {
      timer = setInterval(() => {
        current = current.then(round);
      }, INTERVAL);
    },

    async stop(): Promise<void> {
      clearInterval(timer);
      await current;
    },
  };
}

export type Reports = ReturnType<typeof createReports>;
