CREATE TABLE "participant_group" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "participant_group_tenant_id_key" UNIQUE("tenant_id","id"),
	CONSTRAINT "participant_group_version" CHECK ("participant_group"."version" > 0)
);
--> statement-breakpoint
CREATE TABLE "participant_group_member" (
	"group_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"tenant_id" uuid NOT NULL,
	"position" integer NOT NULL,
	CONSTRAINT "participant_group_member_pkey" PRIMARY KEY("group_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "meeting_file" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"meeting_id" uuid NOT NULL,
	"name" text NOT NULL,
	"size" integer NOT NULL,
	"storage_key" text NOT NULL,
	"position" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "meeting_terminal" (
	"meeting_id" uuid NOT NULL,
	"terminal_id" uuid NOT NULL,
	"tenant_id" uuid NOT NULL,
	"position" integer NOT NULL,
	CONSTRAINT "meeting_terminal_pkey" PRIMARY KEY("meeting_id","terminal_id")
);
--> statement-breakpoint
ALTER TABLE "registered_terminal" ADD CONSTRAINT "registered_terminal_tenant_id_key" UNIQUE("tenant_id","id");--> statement-breakpoint
ALTER TABLE "meeting" DROP CONSTRAINT "meeting_guest_gate";--> statement-breakpoint
ALTER TABLE "participant_group" ADD CONSTRAINT "participant_group_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "participant_group" ADD CONSTRAINT "participant_group_owner_fk" FOREIGN KEY ("tenant_id","owner_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "participant_group_member" ADD CONSTRAINT "participant_group_member_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "participant_group_member" ADD CONSTRAINT "participant_group_member_group_fk" FOREIGN KEY ("tenant_id","group_id") REFERENCES "public"."participant_group"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "participant_group_member" ADD CONSTRAINT "participant_group_member_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_file" ADD CONSTRAINT "meeting_file_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_file" ADD CONSTRAINT "meeting_file_meeting_fk" FOREIGN KEY ("tenant_id","meeting_id") REFERENCES "public"."meeting"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_terminal" ADD CONSTRAINT "meeting_terminal_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_terminal" ADD CONSTRAINT "meeting_terminal_meeting_fk" FOREIGN KEY ("tenant_id","meeting_id") REFERENCES "public"."meeting"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_terminal" ADD CONSTRAINT "meeting_terminal_terminal_fk" FOREIGN KEY ("tenant_id","terminal_id") REFERENCES "public"."registered_terminal"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "participant_group_name_key" ON "participant_group" USING btree ("owner_id",lower("name"));--> statement-breakpoint
CREATE INDEX "participant_group_member_account_idx" ON "participant_group_member" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "meeting_file_meeting_idx" ON "meeting_file" USING btree ("meeting_id","position");--> statement-breakpoint
CREATE INDEX "meeting_file_key_idx" ON "meeting_file" USING btree ("storage_key");--> statement-breakpoint
CREATE INDEX "meeting_terminal_terminal_idx" ON "meeting_terminal" USING btree ("terminal_id");--> statement-breakpoint
ALTER TABLE "meeting" ADD CONSTRAINT "meeting_guest_gate" CHECK ("meeting"."password_sealed" is not null or "meeting"."waiting_room" or "meeting"."type" = 'LOCAL_MEETING');