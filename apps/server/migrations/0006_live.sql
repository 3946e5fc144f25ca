CREATE TABLE "broadcast" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"state" text DEFAULT 'scheduled' NOT NULL,
	"access" text NOT NULL,
	"chat" text NOT NULL,
	"slow_seconds" integer NOT NULL,
	"questions" boolean NOT NULL,
	"allows_likes" boolean NOT NULL,
	"watermark" boolean NOT NULL,
	"announcement" text NOT NULL,
	"replay" boolean NOT NULL,
	"password_hash" text,
	"password_version" integer DEFAULT 0 NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"recording_id" uuid,
	"owns_recording" boolean DEFAULT false NOT NULL,
	"likes" integer DEFAULT 0 NOT NULL,
	"peak" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "broadcast_tenant_id_key" UNIQUE("tenant_id","id"),
	CONSTRAINT "broadcast_state" CHECK ("broadcast"."state" in ('scheduled', 'onAir', 'paused', 'ended')),
	CONSTRAINT "broadcast_access" CHECK ("broadcast"."access" in ('public', 'password', 'organisation', 'whiteList')),
	CONSTRAINT "broadcast_chat" CHECK ("broadcast"."chat" in ('open', 'held', 'off')),
	CONSTRAINT "broadcast_password" CHECK ("broadcast"."access" <> 'password' or "broadcast"."password_hash" is not null)
);
--> statement-breakpoint
CREATE TABLE "broadcast_allowed" (
	"tenant_id" uuid NOT NULL,
	"broadcast_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	CONSTRAINT "broadcast_allowed_pk" PRIMARY KEY("broadcast_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "broadcast_message" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"broadcast_id" uuid NOT NULL,
	"viewer_id" uuid NOT NULL,
	"name" text NOT NULL,
	"is_host" boolean NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"text" text NOT NULL,
	"answer" text,
	"version" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "broadcast_message_kind" CHECK ("broadcast_message"."kind" in ('chat', 'question')),
	CONSTRAINT "broadcast_message_state" CHECK ("broadcast_message"."state" in ('shown', 'held', 'deleted'))
);
--> statement-breakpoint
CREATE TABLE "broadcast_minute" (
	"tenant_id" uuid NOT NULL,
	"broadcast_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"viewers" integer NOT NULL,
	CONSTRAINT "broadcast_minute_pk" PRIMARY KEY("broadcast_id","at")
);
--> statement-breakpoint
CREATE TABLE "broadcast_span" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"broadcast_id" uuid NOT NULL,
	"recording_id" uuid NOT NULL,
	"from" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone,
	CONSTRAINT "broadcast_span_order" CHECK ("broadcast_span"."until" is null or "broadcast_span"."until" >= "broadcast_span"."from")
);
--> statement-breakpoint
CREATE TABLE "broadcast_viewer" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"broadcast_id" uuid NOT NULL,
	"account_id" uuid,
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"password_version" integer NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"left_at" timestamp (3) with time zone,
	"watched" bigint DEFAULT 0 NOT NULL,
	"muted_at" timestamp (3) with time zone,
	CONSTRAINT "broadcast_viewer_token_key" UNIQUE("token_hash"),
	CONSTRAINT "broadcast_viewer_tenant_id_key" UNIQUE("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "broadcast" ADD CONSTRAINT "broadcast_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "broadcast" ADD CONSTRAINT "broadcast_meeting_fk" FOREIGN KEY ("tenant_id","id") REFERENCES "public"."meeting"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "broadcast" ADD CONSTRAINT "broadcast_recording_fk" FOREIGN KEY ("recording_id") REFERENCES "public"."recording"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "broadcast_allowed" ADD CONSTRAINT "broadcast_allowed_broadcast_fk" FOREIGN KEY ("tenant_id","broadcast_id") REFERENCES "public"."broadcast"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "broadcast_allowed" ADD CONSTRAINT "broadcast_allowed_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "broadcast_message" ADD CONSTRAINT "broadcast_message_broadcast_fk" FOREIGN KEY ("tenant_id","broadcast_id") REFERENCES "public"."broadcast"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "broadcast_message" ADD CONSTRAINT "broadcast_message_viewer_fk" FOREIGN KEY ("tenant_id","viewer_id") REFERENCES "public"."broadcast_viewer"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "broadcast_minute" ADD CONSTRAINT "broadcast_minute_broadcast_fk" FOREIGN KEY ("tenant_id","broadcast_id") REFERENCES "public"."broadcast"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "broadcast_span" ADD CONSTRAINT "broadcast_span_broadcast_fk" FOREIGN KEY ("tenant_id","broadcast_id") REFERENCES "public"."broadcast"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "broadcast_viewer" ADD CONSTRAINT "broadcast_viewer_broadcast_fk" FOREIGN KEY ("tenant_id","broadcast_id") REFERENCES "public"."broadcast"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "broadcast_viewer" ADD CONSTRAINT "broadcast_viewer_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "broadcast_recording_idx" ON "broadcast" USING btree ("recording_id");--> statement-breakpoint
CREATE INDEX "broadcast_state_idx" ON "broadcast" USING btree ("tenant_id","state");--> statement-breakpoint
CREATE INDEX "broadcast_open_idx" ON "broadcast" USING btree ("id") WHERE "broadcast"."state" <> 'ended';--> statement-breakpoint
CREATE INDEX "broadcast_allowed_account_idx" ON "broadcast_allowed" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "broadcast_message_version_idx" ON "broadcast_message" USING btree ("broadcast_id","version");--> statement-breakpoint
CREATE INDEX "broadcast_message_viewer_idx" ON "broadcast_message" USING btree ("viewer_id","at");--> statement-breakpoint
CREATE INDEX "broadcast_span_broadcast_idx" ON "broadcast_span" USING btree ("broadcast_id","from");--> statement-breakpoint
CREATE INDEX "broadcast_viewer_present_idx" ON "broadcast_viewer" USING btree ("broadcast_id","last_seen_at");--> statement-breakpoint
CREATE INDEX "broadcast_viewer_account_idx" ON "broadcast_viewer" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "broadcast_viewer_opened_idx" ON "broadcast_viewer" USING btree ("opened_at");