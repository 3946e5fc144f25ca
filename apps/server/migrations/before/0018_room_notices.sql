ALTER TABLE "notice" DROP CONSTRAINT "notice_kind";--> statement-breakpoint
ALTER TABLE "notice_text" DROP CONSTRAINT "notice_text_kind";--> statement-breakpoint
ALTER TABLE "notice" ADD CONSTRAINT "notice_kind" CHECK ("notice"."kind" in ('invitation', 'change', 'cancellation', 'reminder', 'roomReleased', 'approvalAsked', 'approved', 'refused', 'lapsed'));--> statement-breakpoint
ALTER TABLE "notice_text" ADD CONSTRAINT "notice_text_kind" CHECK ("notice_text"."kind" in ('invitation', 'change', 'cancellation', 'reminder', 'roomReleased', 'approvalAsked', 'approved', 'refused', 'lapsed'));