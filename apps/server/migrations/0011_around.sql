CREATE TABLE "announcement" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"url" text DEFAULT '' NOT NULL,
	"important" boolean DEFAULT false NOT NULL,
	"whole_tenant" boolean DEFAULT false NOT NULL,
	"starts_at" timestamp (3) with time zone,
	"ends_at" timestamp (3) with time zone,
	"state" text DEFAULT 'draft' NOT NULL,
	"published_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone,
	"author_name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "announcement_tenant_id_key" UNIQUE("tenant_id","id"),
	CONSTRAINT "announcement_state" CHECK ("announcement"."state" in ('draft', 'published', 'withdrawn')),
	CONSTRAINT "announcement_published" CHECK ("announcement"."state" <> 'published' or "announcement"."published_at" is not null),
	CONSTRAINT "announcement_times" CHECK ("announcement"."ends_at" > "announcement"."starts_at")
);
--> statement-breakpoint
CREATE TABLE "announcement_audience" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"announcement_id" uuid NOT NULL,
	"department" text,
	"role_id" uuid,
	"account_id" uuid,
	CONSTRAINT "announcement_audience_one" CHECK (num_nonnulls("announcement_audience"."department", "announcement_audience"."role_id", "announcement_audience"."account_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "announcement_read" (
	"tenant_id" uuid NOT NULL,
	"announcement_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "announcement_read_pkey" PRIMARY KEY("announcement_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "assistant_setting" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"answers" text DEFAULT 'manual' NOT NULL,
	"desk_mail" text DEFAULT '' NOT NULL,
	"model_url" text DEFAULT '' NOT NULL,
	"model_name" text DEFAULT '' NOT NULL,
	"model_key_sealed" text,
	"page_url" text DEFAULT '' NOT NULL,
	"page_secret_sealed" text,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "assistant_setting_answers" CHECK ("assistant_setting"."answers" in ('manual', 'model', 'page')),
	CONSTRAINT "assistant_setting_version" CHECK ("assistant_setting"."version" > 0)
);
--> statement-breakpoint
CREATE TABLE "client_package" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"type" integer NOT NULL,
	"version" text NOT NULL,
	"version_parts" integer[] NOT NULL,
	"minimal_version" text,
	"notes" text NOT NULL,
	"file_id" uuid,
	"link" text,
	"rollout_kind" text NOT NULL,
	"rollout_percent" integer NOT NULL,
	"rollout_tenants" jsonb NOT NULL,
	"published_by" text NOT NULL,
	"published_at" timestamp (3) with time zone NOT NULL,
	"withdrawn_at" timestamp (3) with time zone,
	"edition" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "client_package_source" CHECK (num_nulls("client_package"."file_id", "client_package"."link") = 1),
	CONSTRAINT "client_package_percent" CHECK ("client_package"."rollout_percent" between 1 and 100)
);
--> statement-breakpoint
CREATE TABLE "document" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"is_template" boolean NOT NULL,
	"owner_id" uuid NOT NULL,
	"meeting_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"updated_by" text NOT NULL,
	"versioned_at" timestamp (3) with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"seq" integer DEFAULT 0 NOT NULL,
	"pending" integer DEFAULT 0 NOT NULL,
	"bytes" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "document_tenant_id_key" UNIQUE("tenant_id","id"),
	CONSTRAINT "document_template" CHECK (not ("document"."is_template" and "document"."meeting_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "document_member" (
	"tenant_id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"can_write" boolean NOT NULL,
	CONSTRAINT "document_member_document_id_account_id_pk" PRIMARY KEY("document_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "document_update" (
	"tenant_id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"data" text NOT NULL,
	CONSTRAINT "document_update_document_id_seq_pk" PRIMARY KEY("document_id","seq")
);
--> statement-breakpoint
CREATE TABLE "document_version" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"data" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "host_key" (
	"hash" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"meeting_id" uuid NOT NULL,
	"number" text NOT NULL,
	"account_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "host_key_account_key" UNIQUE("account_id","meeting_id")
);
--> statement-breakpoint
CREATE TABLE "meeting_document" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"meeting_id" uuid NOT NULL,
	"folder_id" uuid,
	"name" text NOT NULL,
	"audience" text NOT NULL,
	"secret_until_start" boolean NOT NULL,
	"version" integer NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "meeting_document_tenant_id_key" UNIQUE("tenant_id","id"),
	CONSTRAINT "meeting_document_audience" CHECK ("meeting_document"."audience" in ('members', 'managers')),
	CONSTRAINT "meeting_document_version" CHECK ("meeting_document"."version" > 0)
);
--> statement-breakpoint
CREATE TABLE "meeting_document_version" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"size" bigint NOT NULL,
	"crc" bigint NOT NULL,
	"pieces" jsonb NOT NULL,
	"kind" text NOT NULL,
	"preview" text,
	"media_type" text,
	"scan" text NOT NULL,
	"finding" text DEFAULT '' NOT NULL,
	"claimed_until" timestamp (3) with time zone,
	"conversion" text,
	"uploaded_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "meeting_document_version_key" UNIQUE("document_id","version"),
	CONSTRAINT "meeting_document_version_size" CHECK ("meeting_document_version"."size" > 0 and "meeting_document_version"."version" > 0),
	CONSTRAINT "meeting_document_version_scan" CHECK ("meeting_document_version"."scan" in ('off', 'pending', 'clean', 'infected', 'tooLarge')),
	CONSTRAINT "meeting_document_version_preview" CHECK (num_nulls("meeting_document_version"."preview", "meeting_document_version"."media_type") in (0, 2) and ("meeting_document_version"."conversion" is null or "meeting_document_version"."preview" = 'office'))
);
--> statement-breakpoint
CREATE TABLE "meeting_folder" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"meeting_id" uuid NOT NULL,
	"parent_id" uuid,
	"name" text NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "meeting_folder_tenant_id_key" UNIQUE("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "meeting_upload" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"meeting_id" uuid NOT NULL,
	"folder_id" uuid,
	"document_id" uuid,
	"name" text NOT NULL,
	"size" bigint NOT NULL,
	"received" bigint NOT NULL,
	"crc" bigint NOT NULL,
	"pieces" jsonb NOT NULL,
	"audience" text NOT NULL,
	"secret_until_start" boolean NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "meeting_upload_received" CHECK ("meeting_upload"."size" > 0 and "meeting_upload"."received" between 0 and "meeting_upload"."size")
);
--> statement-breakpoint
CREATE TABLE "installed_version" (
	"version" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"installed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "release_note_reminder" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"frequency" text NOT NULL,
	"version" text NOT NULL,
	"done_version" text DEFAULT '' NOT NULL,
	"put_off_at" timestamp (3) with time zone NOT NULL,
	"session_id" uuid NOT NULL,
	CONSTRAINT "release_note_reminder_frequency" CHECK ("release_note_reminder"."frequency" in ('NEVER', 'DAILY', 'WEEKLY', 'EACH'))
);
--> statement-breakpoint
CREATE TABLE "start_app" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"name" text NOT NULL,
	"name_en" text DEFAULT '' NOT NULL,
	"icon" text NOT NULL,
	"url" text NOT NULL,
	"sort" integer NOT NULL,
	"is_limited" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "start_app_tenant_id_key" UNIQUE("tenant_id","id"),
	CONSTRAINT "start_app_sort" CHECK ("start_app"."sort" >= 0)
);
--> statement-breakpoint
CREATE TABLE "start_app_role" (
	"tenant_id" uuid NOT NULL,
	"app_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	CONSTRAINT "start_app_role_pkey" PRIMARY KEY("app_id","role_id")
);
--> statement-breakpoint
CREATE TABLE "statistic_count" (
	"tenant_id" uuid NOT NULL,
	"part" text NOT NULL,
	"day" date NOT NULL,
	"details" integer NOT NULL,
	"counted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "statistic_count_pkey" PRIMARY KEY("tenant_id","part","day")
);
--> statement-breakpoint
CREATE TABLE "statistic_day" (
	"tenant_id" uuid NOT NULL,
	"day" date NOT NULL,
	"department" text NOT NULL,
	"type" text NOT NULL,
	"booked" bigint DEFAULT 0 NOT NULL,
	"cancelled" bigint DEFAULT 0 NOT NULL,
	"meetings" bigint DEFAULT 0 NOT NULL,
	"seconds" bigint DEFAULT 0 NOT NULL,
	"terminals" bigint DEFAULT 0 NOT NULL,
	"terminal_seconds" bigint DEFAULT 0 NOT NULL,
	"peak" bigint DEFAULT 0 NOT NULL,
	"calls" bigint DEFAULT 0 NOT NULL,
	"declined" bigint DEFAULT 0 NOT NULL,
	"recordings" bigint DEFAULT 0 NOT NULL,
	"recorded_seconds" bigint DEFAULT 0 NOT NULL,
	"recorded_bytes" bigint DEFAULT 0 NOT NULL,
	"broadcasts" bigint DEFAULT 0 NOT NULL,
	"viewers" bigint DEFAULT 0 NOT NULL,
	"watched_seconds" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "statistic_day_pkey" PRIMARY KEY("tenant_id","day","department","type")
);
--> statement-breakpoint
CREATE TABLE "statistic_people" (
	"tenant_id" uuid NOT NULL,
	"unit" text NOT NULL,
	"day" date NOT NULL,
	"department" text NOT NULL,
	"type" text NOT NULL,
	"people" integer NOT NULL,
	CONSTRAINT "statistic_people_pkey" PRIMARY KEY("tenant_id","unit","day","department","type"),
	CONSTRAINT "statistic_people_unit" CHECK ("statistic_people"."unit" in ('day', 'week', 'month'))
);
--> statement-breakpoint
CREATE TABLE "statistic_quality" (
	"tenant_id" uuid NOT NULL,
	"day" date NOT NULL,
	"department" text NOT NULL,
	"type" text NOT NULL,
	"cause" text NOT NULL,
	"network" text NOT NULL,
	"device" integer NOT NULL,
	"terminals" bigint DEFAULT 0 NOT NULL,
	"good" bigint DEFAULT 0 NOT NULL,
	"fair" bigint DEFAULT 0 NOT NULL,
	"poor" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "statistic_quality_pkey" PRIMARY KEY("tenant_id","day","department","type","cause","network","device"),
	CONSTRAINT "statistic_quality_cause" CHECK ("statistic_quality"."cause" in ('loss', 'delay', 'other', 'none'))
);
--> statement-breakpoint
CREATE TABLE "statistic_setting" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"time_zone" text NOT NULL,
	"recipients" text[] DEFAULT '{}' NOT NULL,
	"locale" text NOT NULL,
	"reported_month" date,
	"is_stale" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "statistic_setting_version" CHECK ("statistic_setting"."version" > 0)
);
--> statement-breakpoint
CREATE TABLE "statistic_sign_in" (
	"tenant_id" uuid NOT NULL,
	"day" date NOT NULL,
	"department" text NOT NULL,
	"method" text NOT NULL,
	"count" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "statistic_sign_in_pkey" PRIMARY KEY("tenant_id","day","department","method")
);
--> statement-breakpoint
CREATE TABLE "statistic_storage" (
	"tenant_id" uuid NOT NULL,
	"day" date NOT NULL,
	"kind" text NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "statistic_storage_pkey" PRIMARY KEY("tenant_id","day","kind")
);
--> statement-breakpoint
CREATE TABLE "statistic_use" (
	"tenant_id" uuid NOT NULL,
	"day" date NOT NULL,
	"kind" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"department" text NOT NULL,
	"type" text NOT NULL,
	"bookings" bigint DEFAULT 0 NOT NULL,
	"seconds" bigint DEFAULT 0 NOT NULL,
	"port_seconds" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "statistic_use_pkey" PRIMARY KEY("tenant_id","day","kind","subject_id","department","type"),
	CONSTRAINT "statistic_use_kind" CHECK ("statistic_use"."kind" in ('room', 'resource'))
);
--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "max_meeting_file_bytes" bigint;--> statement-breakpoint
ALTER TABLE "announcement" ADD CONSTRAINT "announcement_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcement_audience" ADD CONSTRAINT "announcement_audience_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcement_audience" ADD CONSTRAINT "announcement_audience_role_id_role_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."role"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcement_audience" ADD CONSTRAINT "announcement_audience_announcement_fk" FOREIGN KEY ("tenant_id","announcement_id") REFERENCES "public"."announcement"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcement_audience" ADD CONSTRAINT "announcement_audience_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcement_read" ADD CONSTRAINT "announcement_read_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcement_read" ADD CONSTRAINT "announcement_read_announcement_id_announcement_id_fk" FOREIGN KEY ("announcement_id") REFERENCES "public"."announcement"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcement_read" ADD CONSTRAINT "announcement_read_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_setting" ADD CONSTRAINT "assistant_setting_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_package" ADD CONSTRAINT "client_package_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_package" ADD CONSTRAINT "client_package_file_fk" FOREIGN KEY ("tenant_id","file_id") REFERENCES "public"."stored_file"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document" ADD CONSTRAINT "document_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document" ADD CONSTRAINT "document_owner_fk" FOREIGN KEY ("tenant_id","owner_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document" ADD CONSTRAINT "document_meeting_fk" FOREIGN KEY ("tenant_id","meeting_id") REFERENCES "public"."meeting"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_member" ADD CONSTRAINT "document_member_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_member" ADD CONSTRAINT "document_member_document_fk" FOREIGN KEY ("tenant_id","document_id") REFERENCES "public"."document"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_member" ADD CONSTRAINT "document_member_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_update" ADD CONSTRAINT "document_update_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_update" ADD CONSTRAINT "document_update_document_fk" FOREIGN KEY ("tenant_id","document_id") REFERENCES "public"."document"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_version" ADD CONSTRAINT "document_version_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_version" ADD CONSTRAINT "document_version_document_fk" FOREIGN KEY ("tenant_id","document_id") REFERENCES "public"."document"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "host_key" ADD CONSTRAINT "host_key_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "host_key" ADD CONSTRAINT "host_key_meeting_fk" FOREIGN KEY ("tenant_id","meeting_id") REFERENCES "public"."meeting"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "host_key" ADD CONSTRAINT "host_key_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_document" ADD CONSTRAINT "meeting_document_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_document" ADD CONSTRAINT "meeting_document_meeting_fk" FOREIGN KEY ("tenant_id","meeting_id") REFERENCES "public"."meeting"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_document" ADD CONSTRAINT "meeting_document_folder_fk" FOREIGN KEY ("tenant_id","folder_id") REFERENCES "public"."meeting_folder"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_document" ADD CONSTRAINT "meeting_document_author_fk" FOREIGN KEY ("tenant_id","created_by") REFERENCES "public"."account"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_document_version" ADD CONSTRAINT "meeting_document_version_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_document_version" ADD CONSTRAINT "meeting_document_version_document_fk" FOREIGN KEY ("tenant_id","document_id") REFERENCES "public"."meeting_document"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_document_version" ADD CONSTRAINT "meeting_document_version_author_fk" FOREIGN KEY ("tenant_id","uploaded_by") REFERENCES "public"."account"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_folder" ADD CONSTRAINT "meeting_folder_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_folder" ADD CONSTRAINT "meeting_folder_meeting_fk" FOREIGN KEY ("tenant_id","meeting_id") REFERENCES "public"."meeting"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_folder" ADD CONSTRAINT "meeting_folder_parent_fk" FOREIGN KEY ("tenant_id","parent_id") REFERENCES "public"."meeting_folder"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_folder" ADD CONSTRAINT "meeting_folder_author_fk" FOREIGN KEY ("tenant_id","created_by") REFERENCES "public"."account"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_upload" ADD CONSTRAINT "meeting_upload_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_upload" ADD CONSTRAINT "meeting_upload_meeting_fk" FOREIGN KEY ("tenant_id","meeting_id") REFERENCES "public"."meeting"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_upload" ADD CONSTRAINT "meeting_upload_folder_fk" FOREIGN KEY ("tenant_id","folder_id") REFERENCES "public"."meeting_folder"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_upload" ADD CONSTRAINT "meeting_upload_document_fk" FOREIGN KEY ("tenant_id","document_id") REFERENCES "public"."meeting_document"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_upload" ADD CONSTRAINT "meeting_upload_author_fk" FOREIGN KEY ("tenant_id","created_by") REFERENCES "public"."account"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "installed_version" ADD CONSTRAINT "installed_version_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "release_note_reminder" ADD CONSTRAINT "release_note_reminder_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "release_note_reminder" ADD CONSTRAINT "release_note_reminder_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "start_app" ADD CONSTRAINT "start_app_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "start_app_role" ADD CONSTRAINT "start_app_role_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "start_app_role" ADD CONSTRAINT "start_app_role_role_id_role_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."role"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "start_app_role" ADD CONSTRAINT "start_app_role_app_fk" FOREIGN KEY ("tenant_id","app_id") REFERENCES "public"."start_app"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statistic_count" ADD CONSTRAINT "statistic_count_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statistic_day" ADD CONSTRAINT "statistic_day_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statistic_people" ADD CONSTRAINT "statistic_people_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statistic_quality" ADD CONSTRAINT "statistic_quality_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statistic_setting" ADD CONSTRAINT "statistic_setting_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statistic_sign_in" ADD CONSTRAINT "statistic_sign_in_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statistic_storage" ADD CONSTRAINT "statistic_storage_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statistic_use" ADD CONSTRAINT "statistic_use_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "announcement_tenant_created_idx" ON "announcement" USING btree ("tenant_id","created_at");--> statement-breakpoint
CREATE INDEX "announcement_published_idx" ON "announcement" USING btree ("tenant_id","published_at") WHERE "announcement"."state" = 'published';--> statement-breakpoint
CREATE INDEX "announcement_due_idx" ON "announcement" USING btree ("due_at") WHERE "announcement"."due_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "announcement_audience_department_key" ON "announcement_audience" USING btree ("announcement_id","department") WHERE "announcement_audience"."department" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "announcement_audience_role_key" ON "announcement_audience" USING btree ("announcement_id","role_id") WHERE "announcement_audience"."role_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "announcement_audience_account_key" ON "announcement_audience" USING btree ("announcement_id","account_id") WHERE "announcement_audience"."account_id" is not null;--> statement-breakpoint
CREATE INDEX "announcement_audience_department_idx" ON "announcement_audience" USING btree ("tenant_id","department");--> statement-breakpoint
CREATE INDEX "announcement_audience_role_idx" ON "announcement_audience" USING btree ("role_id");--> statement-breakpoint
CREATE INDEX "announcement_audience_account_idx" ON "announcement_audience" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "announcement_read_account_idx" ON "announcement_read" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "announcement_read_time_idx" ON "announcement_read" USING btree ("announcement_id","read_at","account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "client_package_version_key" ON "client_package" USING btree ("tenant_id","type","version_parts") WHERE "client_package"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "client_package_order_idx" ON "client_package" USING btree ("type","version_parts");--> statement-breakpoint
CREATE INDEX "document_owner_idx" ON "document" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "document_meeting_idx" ON "document" USING btree ("meeting_id");--> statement-breakpoint
CREATE INDEX "document_updated_idx" ON "document" USING btree ("tenant_id","updated_at");--> statement-breakpoint
CREATE INDEX "document_member_account_idx" ON "document_member" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "document_version_document_idx" ON "document_version" USING btree ("document_id","created_at");--> statement-breakpoint
CREATE INDEX "host_key_expires_idx" ON "host_key" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "meeting_document_list_idx" ON "meeting_document" USING btree ("meeting_id","folder_id","name","id");--> statement-breakpoint
CREATE INDEX "meeting_document_folder_idx" ON "meeting_document" USING btree ("folder_id");--> statement-breakpoint
CREATE INDEX "meeting_document_version_tenant_idx" ON "meeting_document_version" USING btree ("tenant_id","size");--> statement-breakpoint
CREATE INDEX "meeting_document_version_scan_idx" ON "meeting_document_version" USING btree ("created_at") WHERE "meeting_document_version"."scan" = 'pending';--> statement-breakpoint
CREATE INDEX "meeting_document_version_conversion_idx" ON "meeting_document_version" USING btree ("created_at") WHERE "meeting_document_version"."conversion" = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "meeting_folder_name_key" ON "meeting_folder" USING btree ("meeting_id",coalesce("parent_id", '00000000-0000-0000-0000-000000000000'),lower("name"));--> statement-breakpoint
CREATE INDEX "meeting_folder_parent_idx" ON "meeting_folder" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "meeting_upload_author_idx" ON "meeting_upload" USING btree ("created_by","meeting_id");--> statement-breakpoint
CREATE INDEX "meeting_upload_expires_idx" ON "meeting_upload" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "start_app_sort_idx" ON "start_app" USING btree ("tenant_id","sort");--> statement-breakpoint
CREATE INDEX "start_app_role_role_idx" ON "start_app_role" USING btree ("role_id");--> statement-breakpoint
CREATE INDEX "statistic_count_counted_idx" ON "statistic_count" USING btree ("tenant_id","counted_at");--> statement-breakpoint
CREATE INDEX "statistic_day_department_idx" ON "statistic_day" USING btree ("tenant_id","department" text_pattern_ops,"day");--> statement-breakpoint
CREATE INDEX "statistic_quality_department_idx" ON "statistic_quality" USING btree ("tenant_id","department" text_pattern_ops,"day");--> statement-breakpoint
CREATE INDEX "statistic_sign_in_department_idx" ON "statistic_sign_in" USING btree ("tenant_id","department" text_pattern_ops,"day");--> statement-breakpoint
ALTER TABLE "tenant" ADD CONSTRAINT "tenant_meeting_files" CHECK ("tenant"."max_meeting_file_bytes" >= 0);