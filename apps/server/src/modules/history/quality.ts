import { inArray, sql } from 'drizzle-orm';
import type { TerminalReport } from '@rmeet/contract';
import type { Db } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log/log.ts';
import { addReport, emptySummary, together, type QualitySummary } from './summary.ts';
import { terminalQuality } from './tables.ts';

/** How often reports are stored. */
const INTERVAL = 60_000;
/** Terminals per statement. */
const BATCH = 1_000;

/** The sender of a report. */
export interface Reporting {
  tenantId: string;
  conferenceId: string;
  termId: string;
}

interface Gathered extends Reporting {
  summary: QualitySummary;
}

export interface QualityDeps {
  db: Db;
  log: Log;
  now: () => Date;
}

/**
 * Summarises the media reports of terminals. Reports are added up in memory; once a minute the new ones are added to
 * the stored summary, for all terminals of this process in two statements. If a process dies, a minute of them is lost.
 */
export function createQuality({ db, log, now }: QualityDeps) {
  let gathered = new Map<string, Gathered>();
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = Promise.resolve();

  async function write(batch: readonly Gathered[]): Promise<void> {
    await db.platform(async (tx) => {
      const stored = await tx.find(
        terminalQuality,
        inArray(
          terminalQuality.termId,
          batch.map(({ termId }) => termId),
        ),
        { orderBy: terminalQuality.termId, lock: 'update' },
      );
      const earlier = new Map(stored.map((row) => [row.termId, row.summary]));
      const rows = batch.map(({ summary, ...whose }) => {
        const before = earlier.get(whose.termId);
        return { ...whose, summary: before ? together(before, summary) : summary, updatedAt: now() };
      });
      await tx.insert(terminalQuality, rows, {
        target: terminalQuality.termId,
        set: { summary: sql`excluded.summary`, updatedAt: sql`excluded.updated_at` },
      });
    });
  }

  /**
   * Stores the reports since the last time. If that fails, it is not retried: the failure is logged and the reports are
   * dropped.
   */
  async function keep(): Promise<void> {
    const all = [...gathered.values()].toSorted((a, b) => (a.termId < b.termId ? -1 : 1));
    gathered = new Map();
    for (let i = 0; i < all.length; i += BATCH) await write(all.slice(i, i + BATCH));
  }

  async function round(): Promise<void> {
    try {
      await keep();
    } catch (error) {
      log.warn({ error }, 'A minute of what terminals reported of their media could not be kept');
    }
  }

  return {
    keep,

    /** A present terminal reports about its media. */
    add({ tenantId, conferenceId, termId }: Reporting, report: TerminalReport): void {
      const known = gathered.get(termId);
      const one = known ?? { tenantId, conferenceId, termId, summary: emptySummary() };
      if (!known) gathered.set(termId, one);
      addReport(one.summary, report);
    },

    start(): void {
      timer = setInterval(() => {
        current = current.then(round);
      }, INTERVAL);
    },

    async stop(): Promise<void> {
      clearInterval(timer);
      await current;
      await round();
    },
  };
}

export type Quality = ReturnType<typeof createQuality>;
