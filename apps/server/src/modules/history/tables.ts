import { index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { tenant } from '../accounts/tenants/tables.ts';
import { terminalSession } from '../conferences/tables.ts';
import type { QualitySummary } from './summary.ts';

/** Summary of a terminal's media reports during a conference. */
export const terminalQuality = pgTable(
  'terminal_quality',
  {
    termId: text('term_id')
      .primaryKey()
      .references(() => terminalSession.termId, { onDelete: 'cascade' }),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    conferenceId: uuid('conference_id').notNull(),
    summary: jsonb('summary').notNull().$type<QualitySummary>(),
    updatedAt: timestamp('updated_at', { withTimezone: true, precision: 3 }).notNull(),
  },
  (t) => [index('terminal_quality_conference_idx').on(t.conferenceId)],
);

export type TerminalQualityRow = typeof terminalQuality.$inferSelect;
