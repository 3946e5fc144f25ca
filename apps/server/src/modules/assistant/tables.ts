import { sql } from 'drizzle-orm';
import { check, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { ASSISTANT_ANSWERS } from '@rmeet/contract';
import { tenant } from '../accounts/tenants/tables.ts';

/** How the assistant of a tenant answers. Without a row: from the manual, without a service desk. */
export const assistantSetting = pgTable(
  'assistant_setting',
  {
    tenantId: uuid('tenant_id')
      .primaryKey()
      .references(() => tenant.tenantId),
    answers: text('answers', { enum: ASSISTANT_ANSWERS }).notNull().default('manual'),
    /** Where questions are handed over to; empty: nowhere. */
    deskMail: text('desk_mail').notNull().default(''),
    /** The part of the address before `/chat/completions`. */
    modelUrl: text('model_url').notNull().default(''),
    modelName: text('model_name').notNull().default(''),
    /** The key of the language model, sealed; null: it needs none. */
    modelKeySealed: text('model_key_sealed'),
    pageUrl: text('page_url').notNull().default(''),
    /** What addresses of the outside page are signed with, sealed. */
    pageSecretSealed: text('page_secret_sealed'),
    version: integer('version').notNull().default(1),
  },
  (t) => [
    check('assistant_setting_answers', sql`${t.answers} in ('manual', 'model', 'page')`),
    check('assistant_setting_version', sql`${t.version} > 0`),
  ],
);
export type AssistantSettingRow = typeof assistantSetting.$inferSelect;
