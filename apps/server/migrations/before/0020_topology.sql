ALTER TABLE "conference" ALTER COLUMN "control" SET DEFAULT '{"version":0,"generation":1,"mode":"AUTO","speakerId":null,"chairId":null,"coChairIds":[],"locked":false,"muteOnEntry":false,"allowSelfUnmute":true,"waitingRoom":null,"order":[],"layout":{"model":"AUTO","places":[],"seats":[]},"allowOwnLayout":true,"window":null,"contentLockId":null,"banner":null,"polling":null,"timer":null,"rollCall":null,"vote":null,"terminals":{}}'::jsonb;--> statement-breakpoint
UPDATE "conference" SET "control" = jsonb_build_object('generation', "generation") || "control" WHERE "ended_at" is null;--> statement-breakpoint
ALTER TABLE "command_ack" ADD COLUMN "gap" integer;--> statement-breakpoint
ALTER TABLE "conference" ADD COLUMN "zone_id" text DEFAULT 'local' NOT NULL;--> statement-breakpoint
ALTER TABLE "conference" ADD COLUMN "mcu_id" text;--> statement-breakpoint
ALTER TABLE "conference" ADD COLUMN "previous_zone_id" text;--> statement-breakpoint
ALTER TABLE "conference" ADD COLUMN "moved_at" timestamp (3) with time zone;