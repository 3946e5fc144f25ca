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
ALTER TABLE "announcement" ADD CONSTRAINT "announcement_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcement_audience" ADD CONSTRAINT "announcement_audience_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcement_audience" ADD CONSTRAINT "announcement_audience_role_id_role_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."role"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcement_audience" ADD CONSTRAINT "announcement_audience_announcement_fk" FOREIGN KEY ("tenant_id","announcement_id") REFERENCES "public"."announcement"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcement_audience" ADD CONSTRAINT "announcement_audience_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcement_read" ADD CONSTRAINT "announcement_read_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcement_read" ADD CONSTRAINT "announcement_read_announcement_id_announcement_id_fk" FOREIGN KEY ("announcement_id") REFERENCES "public"."announcement"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcement_read" ADD CONSTRAINT "announcement_read_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "installed_version" ADD CONSTRAINT "installed_version_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "release_note_reminder" ADD CONSTRAINT "release_note_reminder_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "release_note_reminder" ADD CONSTRAINT "release_note_reminder_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "start_app" ADD CONSTRAINT "start_app_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "start_app_role" ADD CONSTRAINT "start_app_role_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "start_app_role" ADD CONSTRAINT "start_app_role_role_id_role_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."role"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "start_app_role" ADD CONSTRAINT "start_app_role_app_fk" FOREIGN KEY ("tenant_id","app_id") REFERENCES "public"."start_app"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
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
CREATE INDEX "start_app_sort_idx" ON "start_app" USING btree ("tenant_id","sort");--> statement-breakpoint
CREATE INDEX "start_app_role_role_idx" ON "start_app_role" USING btree ("role_id");