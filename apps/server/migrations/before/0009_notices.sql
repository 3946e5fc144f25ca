CREATE TABLE "notice" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"edition_id" uuid NOT NULL,
	"account_id" uuid,
	"email" text,
	"phone" text,
	"name" text DEFAULT '' NOT NULL,
	"kind" text NOT NULL,
	"channel" text NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failure" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"claimed_until" timestamp (3) with time zone,
	"tried_at" timestamp (3) with time zone,
	"read_at" timestamp (3) with time zone,
	CONSTRAINT "notice_one" CHECK (num_nonnulls("notice"."account_id", "notice"."email", "notice"."phone") = 1),
	CONSTRAINT "notice_kind" CHECK ("notice"."kind" in ('invitation', 'change', 'cancellation', 'reminder')),
	CONSTRAINT "notice_channel" CHECK ("notice"."channel" in ('mail', 'sms', 'centre')),
	CONSTRAINT "notice_status" CHECK ("notice"."status" in ('SUCCESS', 'SENDING', 'FAIL')),
	CONSTRAINT "notice_failure" CHECK (("notice"."status" = 'FAIL') = ("notice"."failure" is not null)),
	CONSTRAINT "notice_centre" CHECK ("notice"."channel" <> 'centre' or ("notice"."status" = 'SUCCESS' and "notice"."account_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "notice_edition" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"meeting_id" uuid,
	"series_id" uuid,
	"sequence" integer NOT NULL,
	"facts" jsonb NOT NULL,
	"password_sealed" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "notice_edition_tenant_id_key" UNIQUE("tenant_id","id"),
	CONSTRAINT "notice_edition_one" CHECK (num_nonnulls("notice_edition"."meeting_id", "notice_edition"."series_id") = 1),
	CONSTRAINT "notice_edition_sequence" CHECK ("notice_edition"."sequence" >= 0)
);
--> statement-breakpoint
CREATE TABLE "notice_reminder" (
	"meeting_id" uuid NOT NULL,
	"start_time" timestamp (3) with time zone NOT NULL,
	"tenant_id" uuid NOT NULL,
	CONSTRAINT "notice_reminder_pkey" PRIMARY KEY("meeting_id","start_time")
);
--> statement-breakpoint
CREATE TABLE "notice_setting" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"reminder_minutes" integer DEFAULT 15 NOT NULL,
	"gateway" jsonb,
	"gateway_secret_sealed" text,
	"version" integer NOT NULL,
	CONSTRAINT "notice_setting_reminder" CHECK ("notice_setting"."reminder_minutes" in (0, 5, 15, 30, 60)),
	CONSTRAINT "notice_setting_secret" CHECK ("notice_setting"."gateway_secret_sealed" is null or "notice_setting"."gateway" is not null)
);
--> statement-breakpoint
CREATE TABLE "notice_text" (
	"tenant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"channel" text NOT NULL,
	"locale" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "notice_text_pkey" PRIMARY KEY("tenant_id","kind","channel","locale"),
	CONSTRAINT "notice_text_kind" CHECK ("notice_text"."kind" in ('invitation', 'change', 'cancellation', 'reminder')),
	CONSTRAINT "notice_text_channel" CHECK ("notice_text"."channel" in ('mail', 'sms')),
	CONSTRAINT "notice_text_locale" CHECK ("notice_text"."locale" in ('zh', 'en'))
);
--> statement-breakpoint
ALTER TABLE "notice" ADD CONSTRAINT "notice_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice" ADD CONSTRAINT "notice_edition_fk" FOREIGN KEY ("tenant_id","edition_id") REFERENCES "public"."notice_edition"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice" ADD CONSTRAINT "notice_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_edition" ADD CONSTRAINT "notice_edition_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_edition" ADD CONSTRAINT "notice_edition_meeting_fk" FOREIGN KEY ("tenant_id","meeting_id") REFERENCES "public"."meeting"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_edition" ADD CONSTRAINT "notice_edition_series_fk" FOREIGN KEY ("tenant_id","series_id") REFERENCES "public"."meeting_series"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_reminder" ADD CONSTRAINT "notice_reminder_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_reminder" ADD CONSTRAINT "notice_reminder_meeting_fk" FOREIGN KEY ("tenant_id","meeting_id") REFERENCES "public"."meeting"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_setting" ADD CONSTRAINT "notice_setting_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_text" ADD CONSTRAINT "notice_text_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notice_edition_idx" ON "notice" USING btree ("edition_id");--> statement-breakpoint
CREATE INDEX "notice_centre_idx" ON "notice" USING btree ("account_id","created_at","id") WHERE "notice"."channel" = 'centre';--> statement-breakpoint
CREATE INDEX "notice_unread_idx" ON "notice" USING btree ("account_id") WHERE "notice"."channel" = 'centre' and "notice"."read_at" is null;--> statement-breakpoint
CREATE INDEX "notice_due_idx" ON "notice" USING btree ("due_at") WHERE "notice"."status" = 'SENDING';--> statement-breakpoint
CREATE UNIQUE INDEX "notice_edition_meeting_key" ON "notice_edition" USING btree ("meeting_id","sequence") WHERE "notice_edition"."meeting_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "notice_edition_series_key" ON "notice_edition" USING btree ("series_id","sequence") WHERE "notice_edition"."series_id" is not null;