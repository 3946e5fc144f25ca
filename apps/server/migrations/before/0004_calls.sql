ALTER TABLE "conference_call" DROP CONSTRAINT "conference_call_pkey";--> statement-breakpoint
ALTER TABLE "conference_call" ALTER COLUMN "account_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "conference_call" ADD COLUMN "target" text NOT NULL;--> statement-breakpoint
ALTER TABLE "conference_call" ADD COLUMN "called_by" text NOT NULL;--> statement-breakpoint
ALTER TABLE "conference_call" ADD COLUMN "over_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "conference_call" ADD COLUMN "mailed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "conference_call" ADD CONSTRAINT "conference_call_pkey" PRIMARY KEY("conference_id","target");--> statement-breakpoint
CREATE INDEX "conference_call_ringing_idx" ON "conference_call" USING btree ("until") WHERE "conference_call"."over_at" is null;
