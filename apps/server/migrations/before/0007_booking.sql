ALTER TABLE "meeting_participant" DROP CONSTRAINT "meeting_participant_one";--> statement-breakpoint
ALTER TABLE "meeting" ADD COLUMN "time_zone" text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE "meeting" ADD COLUMN "join_before_host" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "meeting" ADD COLUMN "mute_on_entry" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "meeting" ADD COLUMN "template" text DEFAULT 'standard' NOT NULL;--> statement-breakpoint
ALTER TABLE "meeting" ADD COLUMN "vip" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "meeting" ADD COLUMN "approval" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE "meeting_participant" ADD COLUMN "phone" text;--> statement-breakpoint
ALTER TABLE "meeting_participant" ADD COLUMN "name" text;--> statement-breakpoint
CREATE UNIQUE INDEX "meeting_participant_phone_key" ON "meeting_participant" USING btree ("meeting_id","phone") WHERE "meeting_participant"."phone" is not null;--> statement-breakpoint
ALTER TABLE "meeting" ADD CONSTRAINT "meeting_approval" CHECK ("meeting"."approval" in ('none', 'waiting', 'approved', 'refused'));--> statement-breakpoint
ALTER TABLE "meeting_participant" ADD CONSTRAINT "meeting_participant_name" CHECK ("meeting_participant"."name" is null or "meeting_participant"."phone" is not null);--> statement-breakpoint
ALTER TABLE "meeting_participant" ADD CONSTRAINT "meeting_participant_one" CHECK (num_nonnulls("meeting_participant"."account_id", "meeting_participant"."email", "meeting_participant"."phone") = 1);