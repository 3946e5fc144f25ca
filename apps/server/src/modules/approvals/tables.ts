import { sql } from 'drizzle-orm';
import { boolean, check, foreignKey, index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { APPROVAL_REASONS, MEETING_TYPES } from '@rmeet/contract';
import { tenant } from '../accounts/tenants/tables.ts';
import { account } from '../accounts/users/tables.ts';
import { meeting } from '../meetings/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Which meetings of a tenant need approval; without a row, none do. */
export const approvalRule = pgTable(
  'approval_rule',
  {
    tenantId: uuid('tenant_id')
      .primaryKey()
      .references(() => tenant.tenantId),
    all: boolean('all').notNull().default(false),
    types: text('types', { enum: MEETING_TYPES })
      .array()
      .notNull()
      .default(sql`'{}'`),
    vip: boolean('vip').notNull().default(false),
    /** Minutes. */
    longerThan: integer('longer_than'),
    morePeopleThan: integer('more_people_than'),
    version: integer('version').notNull().default(1),
  },
  (t) => [check('approval_rule_version', sql`${t.version} > 0`)],
);

/** A request for approval of a meeting, decided or not; its state is the meeting's column `approval`. */
export const approvalRequest = pgTable(
  'approval_request',
  {
    meetingId: uuid('meeting_id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    reasons: text('reasons', { enum: APPROVAL_REASONS }).array().notNull(),
    /** The values at the time of the request, to detect whether an edit changes them. */
    startTime: time('start_time').notNull(),
    duration: integer('duration').notNull(),
    people: integer('people').notNull(),
    vip: boolean('vip').notNull(),
    askedAt: time('asked_at').notNull(),
    decidedAt: time('decided_at'),
    decidedBy: uuid('decided_by'),
    note: text('note').notNull().default(''),
  },
  (t) => [
    foreignKey({
      name: 'approval_request_meeting_fk',
      columns: [t.tenantId, t.meetingId],
      foreignColumns: [meeting.tenantId, meeting.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'approval_request_account_fk',
      columns: [t.tenantId, t.decidedBy],
      foreignColumns: [account.tenantId, account.id],
    }),
    index('approval_request_tenant_idx').on(t.tenantId, t.startTime),
    check('approval_request_decided', sql`(${t.decidedAt} is null) = (${t.decidedBy} is null)`),
  ],
);

export type ApprovalRuleRow = typeof approvalRule.$inferSelect;
export type ApprovalRequestRow = typeof approvalRequest.$inferSelect;
