CREATE TABLE "ballot" (
	"vote_id" uuid NOT NULL,
	"voter" text NOT NULL,
	"tenant_id" uuid NOT NULL,
	"conference_id" uuid NOT NULL,
	"name" text,
	"option" integer NOT NULL,
	CONSTRAINT "ballot_pkey" PRIMARY KEY("vote_id","voter")
);
--> statement-breakpoint
CREATE TABLE "scene" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"meeting_id" uuid NOT NULL,
	"name" text NOT NULL,
	"settings" jsonb NOT NULL,
	"people" jsonb NOT NULL,
	"at" timestamp (3) with time zone,
	"applied_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "scene_tenant_id_key" UNIQUE("tenant_id","id"),
	CONSTRAINT "scene_name_key" UNIQUE("meeting_id","name")
);
--> statement-breakpoint
ALTER TABLE "conference" ALTER COLUMN "control" SET DEFAULT '{"version":0,"mode":"AUTO","speakerId":null,"chairId":null,"coChairIds":[],"locked":false,"muteOnEntry":false,"allowSelfUnmute":true,"waitingRoom":null,"order":[],"layout":{"model":"AUTO","places":[],"seats":[]},"allowOwnLayout":true,"window":null,"contentLockId":null,"banner":null,"polling":null,"timer":null,"rollCall":null,"vote":null,"terminals":{}}'::jsonb;--> statement-breakpoint
UPDATE "conference" SET "control" = '{"layout":{"model":"AUTO","places":[],"seats":[]},"allowOwnLayout":true,"window":null,"contentLockId":null,"banner":null,"polling":null,"timer":null,"rollCall":null,"vote":null}'::jsonb || "control" WHERE "ended_at" is null;--> statement-breakpoint
ALTER TABLE "ballot" ADD CONSTRAINT "ballot_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ballot" ADD CONSTRAINT "ballot_conference_fk" FOREIGN KEY ("tenant_id","conference_id") REFERENCES "public"."conference"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scene" ADD CONSTRAINT "scene_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scene" ADD CONSTRAINT "scene_meeting_fk" FOREIGN KEY ("tenant_id","meeting_id") REFERENCES "public"."meeting"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ballot_conference_idx" ON "ballot" USING btree ("conference_id");--> statement-breakpoint
CREATE INDEX "scene_due_idx" ON "scene" USING btree ("at") WHERE "scene"."at" is not null and "scene"."applied_at" is null;