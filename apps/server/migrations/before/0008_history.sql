CREATE TABLE "terminal_quality" (
	"term_id" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"conference_id" uuid NOT NULL,
	"summary" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "conference" ADD COLUMN "peak_terminals" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "terminal_session" ADD COLUMN "first_inside_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "terminal_quality" ADD CONSTRAINT "terminal_quality_term_id_terminal_session_term_id_fk" FOREIGN KEY ("term_id") REFERENCES "public"."terminal_session"("term_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "terminal_quality" ADD CONSTRAINT "terminal_quality_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "terminal_quality_conference_idx" ON "terminal_quality" USING btree ("conference_id");--> statement-breakpoint
CREATE INDEX "conference_tenant_started_idx" ON "conference" USING btree ("tenant_id","started_at","id");--> statement-breakpoint
CREATE INDEX "conference_tenant_duration_idx" ON "conference" USING btree ("tenant_id",("ended_at" - "started_at"),"id");--> statement-breakpoint
UPDATE "terminal_session" SET "first_inside_at" = "admitted_at" WHERE "admitted_at" IS NOT NULL;--> statement-breakpoint
UPDATE "conference" SET "peak_terminals" = "most"."n" FROM (
	SELECT "conference_id", max("n")::integer AS "n" FROM (
		SELECT "conference_id", sum("step") OVER (PARTITION BY "conference_id" ORDER BY "at", "step") AS "n" FROM "terminal_session",
			LATERAL (VALUES ("admitted_at", 1), (coalesce("left_at", 'infinity'), -1)) AS "moves" ("at", "step") WHERE "admitted_at" IS NOT NULL
	) AS "inside" GROUP BY "conference_id"
) AS "most" WHERE "most"."conference_id" = "conference"."id";
