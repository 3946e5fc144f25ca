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
ALTER TABLE "tenant" ADD COLUMN "max_meeting_file_bytes" bigint;--> statement-breakpoint
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
CREATE INDEX "meeting_document_list_idx" ON "meeting_document" USING btree ("meeting_id","folder_id","name","id");--> statement-breakpoint
CREATE INDEX "meeting_document_folder_idx" ON "meeting_document" USING btree ("folder_id");--> statement-breakpoint
CREATE INDEX "meeting_document_version_tenant_idx" ON "meeting_document_version" USING btree ("tenant_id","size");--> statement-breakpoint
CREATE INDEX "meeting_document_version_scan_idx" ON "meeting_document_version" USING btree ("created_at") WHERE "meeting_document_version"."scan" = 'pending';--> statement-breakpoint
CREATE INDEX "meeting_document_version_conversion_idx" ON "meeting_document_version" USING btree ("created_at") WHERE "meeting_document_version"."conversion" = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "meeting_folder_name_key" ON "meeting_folder" USING btree ("meeting_id",coalesce("parent_id", '00000000-0000-0000-0000-000000000000'),lower("name"));--> statement-breakpoint
CREATE INDEX "meeting_folder_parent_idx" ON "meeting_folder" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "meeting_upload_author_idx" ON "meeting_upload" USING btree ("created_by","meeting_id");--> statement-breakpoint
CREATE INDEX "meeting_upload_expires_idx" ON "meeting_upload" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "tenant" ADD CONSTRAINT "tenant_meeting_files" CHECK ("tenant"."max_meeting_file_bytes" >= 0);