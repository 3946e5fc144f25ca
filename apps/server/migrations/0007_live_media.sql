CREATE TABLE "broadcast_target" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"broadcast_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"provider" text NOT NULL,
	"address_sealed" text NOT NULL,
	"play" text NOT NULL,
	"key_sealed" text,
	"state" text DEFAULT 'idle' NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	CONSTRAINT "broadcast_target_provider" CHECK ("broadcast_target"."provider" in ('rtmp', 'aliyun', 'tencent')),
	CONSTRAINT "broadcast_target_state" CHECK ("broadcast_target"."state" in ('idle', 'connecting', 'live', 'refused', 'lost'))
);
--> statement-breakpoint
ALTER TABLE "recording" ADD COLUMN "live_origin" text;--> statement-breakpoint
ALTER TABLE "broadcast_target" ADD CONSTRAINT "broadcast_target_broadcast_fk" FOREIGN KEY ("tenant_id","broadcast_id") REFERENCES "public"."broadcast"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "broadcast_target_broadcast_idx" ON "broadcast_target" USING btree ("broadcast_id","position");