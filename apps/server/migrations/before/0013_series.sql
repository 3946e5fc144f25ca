DROP INDEX "meeting_series_number_key";--> statement-breakpoint
ALTER TABLE "meeting" ADD COLUMN "recurrence_id" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "meeting" ADD COLUMN "detached" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "meeting_series" ADD COLUMN "start_time" timestamp (3) with time zone NOT NULL;--> statement-breakpoint
ALTER TABLE "meeting_series" ADD COLUMN "time_zone" text NOT NULL;--> statement-breakpoint
ALTER TABLE "meeting_series" ADD COLUMN "except" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "meeting_series_idx" ON "meeting" USING btree ("series_id","recurrence_id");--> statement-breakpoint
CREATE INDEX "meeting_series_number_idx" ON "meeting_series" USING btree ("number");--> statement-breakpoint
ALTER TABLE "meeting" ADD CONSTRAINT "meeting_recurrence" CHECK (("meeting"."series_id" is null) = ("meeting"."recurrence_id" is null) and ("meeting"."series_id" is not null or not "meeting"."detached"));