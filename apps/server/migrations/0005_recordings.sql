CREATE TABLE "recording" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"meeting_id" uuid NOT NULL,
	"conference_id" uuid NOT NULL,
	"host_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"state" text DEFAULT 'recording' NOT NULL,
	"wish" text DEFAULT 'record' NOT NULL,
	"trouble" text,
	"with_tracks" boolean NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"duration" bigint DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"download" boolean NOT NULL,
	"watermark" boolean NOT NULL,
	"edit" jsonb,
	"lease_holder" uuid,
	"lease_until" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	"is_gone" boolean DEFAULT false NOT NULL,
	"texts_at" timestamp (3) with time zone,
	CONSTRAINT "recording_tenant_id_key" UNIQUE("tenant_id","id"),
	CONSTRAINT "recording_state" CHECK ("recording"."state" in ('recording', 'processing', 'ready', 'failed')),
	CONSTRAINT "recording_lease" CHECK (num_nulls("recording"."lease_holder", "recording"."lease_until") in (0, 2))
);
--> statement-breakpoint
CREATE TABLE "recording_export" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"recording_id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"track" text NOT NULL,
	"whole" boolean NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"progress" real DEFAULT 0 NOT NULL,
	"bytes" bigint,
	"storage_key" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	CONSTRAINT "recording_export_tenant_id_key" UNIQUE("tenant_id","id"),
	CONSTRAINT "recording_export_progress" CHECK ("recording_export"."progress" between 0 and 1)
);
--> statement-breakpoint
CREATE TABLE "recording_grant" (
	"tenant_id" uuid NOT NULL,
	"meeting_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"granted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "recording_grant_pk" PRIMARY KEY("meeting_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "recording_share" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"recording_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"password_hash" text,
	"expires_at" timestamp (3) with time zone,
	"max_views" integer,
	"views" integer DEFAULT 0 NOT NULL,
	"download" boolean NOT NULL,
	"watermark" boolean NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "recording_share_token_key" UNIQUE("token_hash"),
	CONSTRAINT "recording_share_tenant_id_key" UNIQUE("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "recording_text" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"recording_id" uuid NOT NULL,
	"found_in" text NOT NULL,
	"text" text NOT NULL,
	"at" bigint
);
--> statement-breakpoint
CREATE TABLE "recording_view" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"share_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"name" text NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "recording_view_token_key" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "recordings" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "recording_started_by" text DEFAULT 'chairs' NOT NULL;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "recording_watched_by" text DEFAULT 'hosts' NOT NULL;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "recording_tracks" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "recording_download" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "recording_watermark" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "recording_kept_days" integer;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "codec" text DEFAULT 'h264' NOT NULL;--> statement-breakpoint
ALTER TABLE "meeting" ADD COLUMN "auto_record" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "recording" ADD CONSTRAINT "recording_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recording" ADD CONSTRAINT "recording_meeting_fk" FOREIGN KEY ("tenant_id","meeting_id") REFERENCES "public"."meeting"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recording" ADD CONSTRAINT "recording_conference_fk" FOREIGN KEY ("tenant_id","conference_id") REFERENCES "public"."conference"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recording" ADD CONSTRAINT "recording_host_fk" FOREIGN KEY ("tenant_id","host_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recording_export" ADD CONSTRAINT "recording_export_recording_fk" FOREIGN KEY ("tenant_id","recording_id") REFERENCES "public"."recording"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recording_export" ADD CONSTRAINT "recording_export_owner_fk" FOREIGN KEY ("tenant_id","owner_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recording_grant" ADD CONSTRAINT "recording_grant_meeting_fk" FOREIGN KEY ("tenant_id","meeting_id") REFERENCES "public"."meeting"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recording_grant" ADD CONSTRAINT "recording_grant_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recording_share" ADD CONSTRAINT "recording_share_recording_fk" FOREIGN KEY ("tenant_id","recording_id") REFERENCES "public"."recording"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recording_share" ADD CONSTRAINT "recording_share_account_fk" FOREIGN KEY ("tenant_id","created_by") REFERENCES "public"."account"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recording_text" ADD CONSTRAINT "recording_text_recording_fk" FOREIGN KEY ("tenant_id","recording_id") REFERENCES "public"."recording"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recording_view" ADD CONSTRAINT "recording_view_share_fk" FOREIGN KEY ("tenant_id","share_id") REFERENCES "public"."recording_share"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "recording_list_idx" ON "recording" USING btree ("tenant_id","started_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "recording_meeting_idx" ON "recording" USING btree ("meeting_id");--> statement-breakpoint
CREATE INDEX "recording_conference_idx" ON "recording" USING btree ("conference_id");--> statement-breakpoint
CREATE INDEX "recording_host_idx" ON "recording" USING btree ("host_id");--> statement-breakpoint
CREATE INDEX "recording_search_idx" ON "recording" USING gin (search_grams("tenant_id", "subject")) WITH (gin_pending_list_limit=256);--> statement-breakpoint
CREATE INDEX "recording_texts_idx" ON "recording" USING btree ("ended_at") WHERE "recording"."texts_at" is null;--> statement-breakpoint
CREATE INDEX "recording_running_idx" ON "recording" USING btree ("lease_until") WHERE "recording"."state" in ('recording', 'processing');--> statement-breakpoint
CREATE INDEX "recording_deleted_idx" ON "recording" USING btree ("deleted_at") WHERE "recording"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "recording_export_recording_idx" ON "recording_export" USING btree ("recording_id");--> statement-breakpoint
CREATE INDEX "recording_export_owner_idx" ON "recording_export" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "recording_grant_account_idx" ON "recording_grant" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "recording_share_recording_idx" ON "recording_share" USING btree ("recording_id");--> statement-breakpoint
CREATE INDEX "recording_share_account_idx" ON "recording_share" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "recording_text_recording_idx" ON "recording_text" USING btree ("recording_id");--> statement-breakpoint
CREATE INDEX "recording_text_search_idx" ON "recording_text" USING gin (search_grams("tenant_id", "text")) WITH (gin_pending_list_limit=256);--> statement-breakpoint
CREATE INDEX "recording_view_share_idx" ON "recording_view" USING btree ("share_id");--> statement-breakpoint
ALTER TABLE "tenant" ADD CONSTRAINT "tenant_recording_kept_days" CHECK ("tenant"."recording_kept_days" > 0);--> statement-breakpoint
-- As for the other search indexes: statistics of the indexed expressions would make every ANALYZE slow.
ALTER INDEX "recording_search_idx" ALTER COLUMN 1 SET STATISTICS 0;--> statement-breakpoint
ALTER INDEX "recording_text_search_idx" ALTER COLUMN 1 SET STATISTICS 0;
