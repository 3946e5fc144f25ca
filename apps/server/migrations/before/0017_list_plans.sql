DROP INDEX "meeting_over_idx";--> statement-breakpoint
ALTER TABLE "conference" ADD COLUMN "type" text;--> statement-breakpoint
UPDATE "conference" SET "type" = "meeting"."type" FROM "meeting" WHERE "meeting"."id" = "conference"."meeting_id";--> statement-breakpoint
ALTER TABLE "conference" ALTER COLUMN "type" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "conference_type_started_idx" ON "conference" USING btree ("tenant_id","type","started_at","id");--> statement-breakpoint
CREATE INDEX "conference_type_duration_idx" ON "conference" USING btree ("tenant_id","type",("ended_at" - "started_at"),"id");--> statement-breakpoint
CREATE INDEX "meeting_status_start_idx" ON "meeting" USING btree ("tenant_id","status","start_time","id") WHERE "meeting"."cancelled_at" is null;--> statement-breakpoint
CREATE INDEX "meeting_type_start_idx" ON "meeting" USING btree ("tenant_id","type","start_time","id") WHERE "meeting"."cancelled_at" is null;--> statement-breakpoint
CREATE INDEX "meeting_type_subject_idx" ON "meeting" USING btree ("tenant_id","type","subject","id") WHERE "meeting"."cancelled_at" is null;--> statement-breakpoint
CREATE INDEX "meeting_type_duration_idx" ON "meeting" USING btree ("tenant_id","type","duration","id") WHERE "meeting"."cancelled_at" is null;--> statement-breakpoint
CREATE INDEX "meeting_type_number_idx" ON "meeting" USING btree ("tenant_id","type","number","id") WHERE "meeting"."cancelled_at" is null;