ALTER TABLE "notice" DROP CONSTRAINT "notice_kind";--> statement-breakpoint
ALTER TABLE "notice_text" DROP CONSTRAINT "notice_text_kind";--> statement-breakpoint
DROP INDEX "notice_edition_meeting_key";--> statement-breakpoint
DROP INDEX "notice_edition_series_key";--> statement-breakpoint
ALTER TABLE "notice_edition" ADD COLUMN "about" text DEFAULT 'meeting' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "notice_edition_meeting_key" ON "notice_edition" USING btree ("meeting_id","about","sequence") WHERE "notice_edition"."meeting_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "notice_edition_series_key" ON "notice_edition" USING btree ("series_id","about","sequence") WHERE "notice_edition"."series_id" is not null;--> statement-breakpoint
ALTER TABLE "notice" ADD CONSTRAINT "notice_kind" CHECK ("notice"."kind" in ('invitation', 'change', 'cancellation', 'reminder', 'approvalAsked', 'approved', 'refused', 'lapsed'));--> statement-breakpoint
ALTER TABLE "notice_edition" ADD CONSTRAINT "notice_edition_about" CHECK ("notice_edition"."about" in ('meeting', 'approval'));--> statement-breakpoint
ALTER TABLE "notice_text" ADD CONSTRAINT "notice_text_kind" CHECK ("notice_text"."kind" in ('invitation', 'change', 'cancellation', 'reminder', 'approvalAsked', 'approved', 'refused', 'lapsed'));