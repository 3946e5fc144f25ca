CREATE TABLE "fixed_number" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"number" text NOT NULL,
	"password_sealed" text,
	"waiting_room" boolean NOT NULL,
	"join_before_host" boolean NOT NULL,
	"mute_on_entry" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "fixed_number_guest_gate" CHECK ("fixed_number"."password_sealed" is not null or "fixed_number"."waiting_room")
);
--> statement-breakpoint
CREATE TABLE "meeting_white_list" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"meeting_id" uuid NOT NULL,
	"account_id" uuid,
	"department" text,
	"phone" text,
	"position" integer NOT NULL,
	CONSTRAINT "meeting_white_list_one" CHECK (num_nonnulls("meeting_white_list"."account_id", "meeting_white_list"."department", "meeting_white_list"."phone") = 1)
);
--> statement-breakpoint
ALTER TABLE "conference" ADD COLUMN "room_lost_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "terminal_session" ADD COLUMN "awaits_host" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "fixed_number" ADD CONSTRAINT "fixed_number_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fixed_number" ADD CONSTRAINT "fixed_number_number_meeting_number_number_fk" FOREIGN KEY ("number") REFERENCES "public"."meeting_number"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fixed_number" ADD CONSTRAINT "fixed_number_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_white_list" ADD CONSTRAINT "meeting_white_list_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_white_list" ADD CONSTRAINT "meeting_white_list_meeting_fk" FOREIGN KEY ("tenant_id","meeting_id") REFERENCES "public"."meeting"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_white_list" ADD CONSTRAINT "meeting_white_list_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "fixed_number_number_key" ON "fixed_number" USING btree ("number");--> statement-breakpoint
CREATE INDEX "meeting_white_list_meeting_idx" ON "meeting_white_list" USING btree ("meeting_id");--> statement-breakpoint
CREATE INDEX "meeting_white_list_account_idx" ON "meeting_white_list" USING btree ("account_id");