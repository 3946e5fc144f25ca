CREATE TABLE "download_ticket" (
	"tenant_id" uuid NOT NULL,
	"hash" text PRIMARY KEY NOT NULL,
	"caller" jsonb NOT NULL,
	"path" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "push_event" (
	"tenant_id" uuid NOT NULL,
	"topic" text NOT NULL,
	"version" bigint NOT NULL,
	"term_id" text,
	"user_id" uuid,
	"event" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "push_event_tenant_id_topic_version_pk" PRIMARY KEY("tenant_id","topic","version")
);
--> statement-breakpoint
CREATE TABLE "push_topic" (
	"tenant_id" uuid NOT NULL,
	"topic" text NOT NULL,
	"version" bigint NOT NULL,
	CONSTRAINT "push_topic_tenant_id_topic_pk" PRIMARY KEY("tenant_id","topic")
);
--> statement-breakpoint
CREATE TABLE "captcha" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"answer" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "failed_attempt" (
	"tenant_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"key" text NOT NULL,
	"failures" integer NOT NULL,
	"last_failed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "failed_attempt_pkey" PRIMARY KEY("scope","key"),
	CONSTRAINT "failed_attempt_failures" CHECK ("failed_attempt"."failures" > 0)
);
--> statement-breakpoint
CREATE TABLE "sealed_secret" (
	"name" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"sealed" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "session" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"device_id" text DEFAULT '' NOT NULL,
	"address" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"end_reason" text,
	CONSTRAINT "session_end" CHECK (("session"."ended_at" is null) = ("session"."end_reason" is null))
);
--> statement-breakpoint
CREATE TABLE "chat_message" (
	"conference_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"tenant_id" uuid NOT NULL,
	"term_id" text NOT NULL,
	"name" text NOT NULL,
	"text" text NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "chat_message_pkey" PRIMARY KEY("conference_id","id")
);
--> statement-breakpoint
CREATE TABLE "conference" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"meeting_id" uuid NOT NULL,
	"generation" integer DEFAULT 1 NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"empty_since" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"end_reason" text,
	CONSTRAINT "conference_tenant_id_key" UNIQUE("tenant_id","id"),
	CONSTRAINT "conference_end" CHECK (("conference"."ended_at" is null) = ("conference"."end_reason" is null)),
	CONSTRAINT "conference_generation" CHECK ("conference"."generation" > 0)
);
--> statement-breakpoint
CREATE TABLE "reconciler_lease" (
	"name" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"holder" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "terminal_session" (
	"term_id" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"conference_id" uuid NOT NULL,
	"meeting_id" uuid NOT NULL,
	"account_id" uuid,
	"token_hash" text NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"state" text NOT NULL,
	"device_type" integer NOT NULL,
	"origin" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"admitted_at" timestamp (3) with time zone,
	"joined_at" timestamp (3) with time zone,
	"left_at" timestamp (3) with time zone,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"hand_raised_at" timestamp (3) with time zone,
	CONSTRAINT "terminal_session_role" CHECK ("terminal_session"."role" in ('host', 'member', 'guest')),
	CONSTRAINT "terminal_session_state" CHECK ("terminal_session"."state" in ('waiting', 'admitted', 'left', 'lost', 'removed', 'refused')),
	CONSTRAINT "terminal_session_admitted" CHECK ("terminal_session"."state" <> 'admitted' or "terminal_session"."admitted_at" is not null),
	CONSTRAINT "terminal_session_left" CHECK (("terminal_session"."left_at" is null) = ("terminal_session"."state" in ('waiting', 'admitted')))
);
--> statement-breakpoint
CREATE TABLE "meeting" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"series_id" uuid,
	"number" text NOT NULL,
	"type" text NOT NULL,
	"subject" text NOT NULL,
	"agenda" text DEFAULT '' NOT NULL,
	"start_time" timestamp (3) with time zone NOT NULL,
	"duration" integer NOT NULL,
	"end_time" timestamp (3) with time zone NOT NULL,
	"password_sealed" text,
	"waiting_room" boolean DEFAULT false NOT NULL,
	"status" text DEFAULT 'SCHEDULE' NOT NULL,
	"host_id" uuid NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"cancelled_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "meeting_tenant_id_key" UNIQUE("tenant_id","id"),
	CONSTRAINT "meeting_type" CHECK ("meeting"."type" in ('VIDEO_MEETING', 'NETWORK_MEETING', 'LIVE_MEETING', 'PHONE_MEETING', 'LOCAL_MEETING')),
	CONSTRAINT "meeting_status" CHECK ("meeting"."status" in ('ONLINE', 'SCHEDULE', 'PENDING', 'OFFLINE', 'ABNORMAL')),
	CONSTRAINT "meeting_duration" CHECK ("meeting"."duration" between 1 and 1440),
	CONSTRAINT "meeting_end" CHECK ("meeting"."end_time" = "meeting"."start_time" + "meeting"."duration" * interval '1 minute'),
	CONSTRAINT "meeting_cancelled" CHECK ("meeting"."cancelled_at" is null or "meeting"."status" = 'OFFLINE'),
	CONSTRAINT "meeting_guest_gate" CHECK ("meeting"."password_sealed" is not null or "meeting"."waiting_room"),
	CONSTRAINT "meeting_version" CHECK ("meeting"."version" > 0)
);
--> statement-breakpoint
CREATE TABLE "meeting_number" (
	"number" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"account_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "meeting_number_form" CHECK ("meeting_number"."number" ~ '^[1-9][0-9]{8}$'),
	CONSTRAINT "meeting_number_kind" CHECK ("meeting_number"."kind" in ('meeting', 'series', 'personal')),
	CONSTRAINT "meeting_number_owner" CHECK (("meeting_number"."kind" = 'personal') = ("meeting_number"."account_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "meeting_participant" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"meeting_id" uuid NOT NULL,
	"account_id" uuid,
	"email" text,
	"position" integer NOT NULL,
	CONSTRAINT "meeting_participant_one" CHECK (("meeting_participant"."account_id" is null) <> ("meeting_participant"."email" is null))
);
--> statement-breakpoint
CREATE TABLE "meeting_series" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"number" text NOT NULL,
	"host_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"rule" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "meeting_series_tenant_id_key" UNIQUE("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "tenant" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"kind" text DEFAULT 'customer' NOT NULL,
	"name" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tenant_kind" CHECK ("tenant"."kind" in ('platform', 'customer'))
);
--> statement-breakpoint
CREATE TABLE "account" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"kind" text DEFAULT 'user' NOT NULL,
	"account" text NOT NULL,
	"name" text NOT NULL,
	"email" text DEFAULT '' NOT NULL,
	"department" text DEFAULT '' NOT NULL,
	"locale" text DEFAULT 'zh' NOT NULL,
	"password_hash" text NOT NULL,
	"is_tenant_admin" boolean DEFAULT false NOT NULL,
	"is_super_admin" boolean DEFAULT false NOT NULL,
	"is_demo" boolean DEFAULT false NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "account_tenant_id_key" UNIQUE("tenant_id","id"),
	CONSTRAINT "account_kind" CHECK ("account"."kind" in ('user', 'operator')),
	CONSTRAINT "account_locale" CHECK ("account"."locale" in ('zh', 'en')),
	CONSTRAINT "account_admin_kind" CHECK (not ("account"."kind" = 'operator' and "account"."is_tenant_admin") and not ("account"."kind" = 'user' and "account"."is_super_admin"))
);
--> statement-breakpoint
ALTER TABLE "captcha" ADD CONSTRAINT "captcha_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "failed_attempt" ADD CONSTRAINT "failed_attempt_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sealed_secret" ADD CONSTRAINT "sealed_secret_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session" ADD CONSTRAINT "session_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session" ADD CONSTRAINT "session_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_message" ADD CONSTRAINT "chat_message_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_message" ADD CONSTRAINT "chat_message_term_id_terminal_session_term_id_fk" FOREIGN KEY ("term_id") REFERENCES "public"."terminal_session"("term_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_message" ADD CONSTRAINT "chat_message_conference_fk" FOREIGN KEY ("tenant_id","conference_id") REFERENCES "public"."conference"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conference" ADD CONSTRAINT "conference_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conference" ADD CONSTRAINT "conference_meeting_fk" FOREIGN KEY ("tenant_id","meeting_id") REFERENCES "public"."meeting"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reconciler_lease" ADD CONSTRAINT "reconciler_lease_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "terminal_session" ADD CONSTRAINT "terminal_session_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "terminal_session" ADD CONSTRAINT "terminal_session_conference_fk" FOREIGN KEY ("tenant_id","conference_id") REFERENCES "public"."conference"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "terminal_session" ADD CONSTRAINT "terminal_session_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting" ADD CONSTRAINT "meeting_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting" ADD CONSTRAINT "meeting_number_meeting_number_number_fk" FOREIGN KEY ("number") REFERENCES "public"."meeting_number"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting" ADD CONSTRAINT "meeting_host_fk" FOREIGN KEY ("tenant_id","host_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting" ADD CONSTRAINT "meeting_series_fk" FOREIGN KEY ("tenant_id","series_id") REFERENCES "public"."meeting_series"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_number" ADD CONSTRAINT "meeting_number_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_number" ADD CONSTRAINT "meeting_number_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_participant" ADD CONSTRAINT "meeting_participant_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_participant" ADD CONSTRAINT "meeting_participant_meeting_fk" FOREIGN KEY ("tenant_id","meeting_id") REFERENCES "public"."meeting"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_participant" ADD CONSTRAINT "meeting_participant_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_series" ADD CONSTRAINT "meeting_series_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_series" ADD CONSTRAINT "meeting_series_number_meeting_number_number_fk" FOREIGN KEY ("number") REFERENCES "public"."meeting_number"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_series" ADD CONSTRAINT "meeting_series_host_fk" FOREIGN KEY ("tenant_id","host_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account" ADD CONSTRAINT "account_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "download_ticket_expires_at" ON "download_ticket" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "push_event_created_at" ON "push_event" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "captcha_expires_idx" ON "captcha" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "failed_attempt_last_idx" ON "failed_attempt" USING btree ("last_failed_at");--> statement-breakpoint
CREATE UNIQUE INDEX "session_token_hash_key" ON "session" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "session_account_idx" ON "session" USING btree ("account_id") WHERE "session"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "session_expires_idx" ON "session" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "chat_message_sent_idx" ON "chat_message" USING btree ("conference_id","sent_at");--> statement-breakpoint
CREATE UNIQUE INDEX "conference_running_key" ON "conference" USING btree ("meeting_id") WHERE "conference"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "conference_meeting_idx" ON "conference" USING btree ("meeting_id","started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "terminal_session_token_hash_key" ON "terminal_session" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "terminal_session_present_idx" ON "terminal_session" USING btree ("conference_id") WHERE "terminal_session"."state" in ('waiting', 'admitted');--> statement-breakpoint
CREATE INDEX "terminal_session_conference_idx" ON "terminal_session" USING btree ("conference_id","created_at");--> statement-breakpoint
CREATE INDEX "terminal_session_account_idx" ON "terminal_session" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "meeting_number_idx" ON "meeting" USING btree ("number");--> statement-breakpoint
CREATE INDEX "meeting_tenant_start_idx" ON "meeting" USING btree ("tenant_id","start_time");--> statement-breakpoint
CREATE INDEX "meeting_host_start_idx" ON "meeting" USING btree ("host_id","start_time");--> statement-breakpoint
CREATE INDEX "meeting_open_end_idx" ON "meeting" USING btree ("end_time") WHERE "meeting"."status" <> 'OFFLINE';--> statement-breakpoint
CREATE INDEX "meeting_subject_trgm_idx" ON "meeting" USING gin ("subject" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "meeting_number_trgm_idx" ON "meeting" USING gin ("number" gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "meeting_number_personal_key" ON "meeting_number" USING btree ("account_id") WHERE "meeting_number"."kind" = 'personal';--> statement-breakpoint
CREATE UNIQUE INDEX "meeting_participant_account_key" ON "meeting_participant" USING btree ("meeting_id","account_id") WHERE "meeting_participant"."account_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "meeting_participant_email_key" ON "meeting_participant" USING btree ("meeting_id",lower("email")) WHERE "meeting_participant"."email" is not null;--> statement-breakpoint
CREATE INDEX "meeting_participant_account_idx" ON "meeting_participant" USING btree ("account_id","meeting_id");--> statement-breakpoint
CREATE UNIQUE INDEX "meeting_series_number_key" ON "meeting_series" USING btree ("number");--> statement-breakpoint
CREATE UNIQUE INDEX "tenant_name_key" ON "tenant" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "tenant_platform_key" ON "tenant" USING btree ("kind") WHERE "tenant"."kind" = 'platform';--> statement-breakpoint
CREATE UNIQUE INDEX "account_account_key" ON "account" USING btree (lower("account"));--> statement-breakpoint
CREATE INDEX "account_tenant_name_idx" ON "account" USING btree ("tenant_id","name");--> statement-breakpoint
CREATE INDEX "account_name_trgm_idx" ON "account" USING gin ("name" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "account_account_trgm_idx" ON "account" USING gin ("account" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "account_demo_idx" ON "account" USING btree ("id") WHERE "account"."is_demo";