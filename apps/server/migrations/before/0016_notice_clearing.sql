DROP INDEX "notice_centre_idx";--> statement-breakpoint
DROP INDEX "notice_unread_idx";--> statement-breakpoint
ALTER TABLE "notice" ADD COLUMN "cleared_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "notice_centre_idx" ON "notice" USING btree ("account_id","created_at","id") WHERE "notice"."channel" = 'centre' and "notice"."cleared_at" is null;--> statement-breakpoint
CREATE INDEX "notice_unread_idx" ON "notice" USING btree ("account_id") WHERE "notice"."channel" = 'centre' and "notice"."read_at" is null and "notice"."cleared_at" is null;