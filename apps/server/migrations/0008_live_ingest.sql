CREATE TABLE "broadcast_ingest" (
	"broadcast_id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"key_sealed" text NOT NULL,
	"key_hash" text NOT NULL,
	"play_sealed" text,
	"starts_itself" boolean NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"since" timestamp (3) with time zone,
	"way" text,
	"width" integer,
	"height" integer,
	"has_sound" boolean DEFAULT false NOT NULL,
	"bitrate" integer DEFAULT 0 NOT NULL,
	"lease_holder" uuid,
	"lease_until" timestamp (3) with time zone,
	"origin" text,
	"starts_at" timestamp (3) with time zone,
	"next_segment" integer DEFAULT 1 NOT NULL,
	"next_init" integer DEFAULT 1 NOT NULL,
	"arrived_at" timestamp (3) with time zone,
	CONSTRAINT "broadcast_ingest_key_hash_key" UNIQUE("key_hash"),
	CONSTRAINT "broadcast_ingest_state" CHECK ("broadcast_ingest"."state" in ('waiting', 'arriving', 'refused', 'lost')),
	CONSTRAINT "broadcast_ingest_way" CHECK ("broadcast_ingest"."way" in ('rtmp', 'whip', 'play'))
);
--> statement-breakpoint
CREATE TABLE "ingest_host" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"origin" text NOT NULL,
	"rtmp_port" integer,
	"seen_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "broadcast" ADD COLUMN "source" text DEFAULT 'conference' NOT NULL;--> statement-breakpoint
ALTER TABLE "meeting" ADD COLUMN "has_conference" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "broadcast_ingest" ADD CONSTRAINT "broadcast_ingest_broadcast_fk" FOREIGN KEY ("tenant_id","broadcast_id") REFERENCES "public"."broadcast"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ingest_host" ADD CONSTRAINT "ingest_host_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "broadcast_ingest_lease_idx" ON "broadcast_ingest" USING btree ("lease_until");--> statement-breakpoint
ALTER TABLE "broadcast" ADD CONSTRAINT "broadcast_source" CHECK ("broadcast"."source" in ('conference', 'push', 'play'));