ALTER TABLE "conference_command" RENAME COLUMN "concerned" TO "affected";--> statement-breakpoint
ALTER TABLE "terminal_session" RENAME COLUMN "barred" TO "banned";--> statement-breakpoint
ALTER INDEX "terminal_session_barred_idx" RENAME TO "terminal_session_banned_idx";--> statement-breakpoint
ALTER TABLE "notice_edition" RENAME COLUMN "facts" TO "snapshot";
