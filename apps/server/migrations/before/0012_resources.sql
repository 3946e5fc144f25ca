CREATE TABLE "approval_request" (
	"meeting_id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"reasons" text[] NOT NULL,
	"start_time" timestamp (3) with time zone NOT NULL,
	"duration" integer NOT NULL,
	"people" integer NOT NULL,
	"vip" boolean NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"decided_by" uuid,
	"note" text DEFAULT '' NOT NULL,
	CONSTRAINT "approval_request_decided" CHECK (("approval_request"."decided_at" is null) = ("approval_request"."decided_by" is null))
);
--> statement-breakpoint
CREATE TABLE "approval_rule" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"all" boolean DEFAULT false NOT NULL,
	"types" text[] DEFAULT '{}' NOT NULL,
	"vip" boolean DEFAULT false NOT NULL,
	"longer_than" integer,
	"more_people_than" integer,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "approval_rule_version" CHECK ("approval_rule"."version" > 0)
);
--> statement-breakpoint
CREATE TABLE "meeting_resource" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"name" text NOT NULL,
	"zone" text DEFAULT '' NOT NULL,
	"ports" integer,
	"hours" integer,
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	"everybody" boolean DEFAULT false NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "meeting_resource_tenant_id_key" UNIQUE("tenant_id","id"),
	CONSTRAINT "meeting_resource_ports" CHECK ("meeting_resource"."ports" > 0),
	CONSTRAINT "meeting_resource_hours" CHECK ("meeting_resource"."hours" > 0),
	CONSTRAINT "meeting_resource_version" CHECK ("meeting_resource"."version" > 0)
);
--> statement-breakpoint
CREATE TABLE "resource_assignment" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"resource_id" uuid NOT NULL,
	"account_id" uuid,
	"department" text,
	CONSTRAINT "resource_assignment_one" CHECK (num_nonnulls("resource_assignment"."account_id", "resource_assignment"."department") = 1)
);
--> statement-breakpoint
CREATE TABLE "resource_booking" (
	"meeting_id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"resource_id" uuid NOT NULL,
	"ports" integer NOT NULL,
	"start_time" timestamp (3) with time zone NOT NULL,
	"end_time" timestamp (3) with time zone NOT NULL,
	"released_at" timestamp (3) with time zone,
	CONSTRAINT "resource_booking_ports" CHECK ("resource_booking"."ports" > 0),
	CONSTRAINT "resource_booking_times" CHECK ("resource_booking"."end_time" >= "resource_booking"."start_time")
);
--> statement-breakpoint
ALTER TABLE "approval_request" ADD CONSTRAINT "approval_request_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_request" ADD CONSTRAINT "approval_request_meeting_fk" FOREIGN KEY ("tenant_id","meeting_id") REFERENCES "public"."meeting"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_request" ADD CONSTRAINT "approval_request_account_fk" FOREIGN KEY ("tenant_id","decided_by") REFERENCES "public"."account"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_rule" ADD CONSTRAINT "approval_rule_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_resource" ADD CONSTRAINT "meeting_resource_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_assignment" ADD CONSTRAINT "resource_assignment_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_assignment" ADD CONSTRAINT "resource_assignment_resource_fk" FOREIGN KEY ("tenant_id","resource_id") REFERENCES "public"."meeting_resource"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_assignment" ADD CONSTRAINT "resource_assignment_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_booking" ADD CONSTRAINT "resource_booking_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_booking" ADD CONSTRAINT "resource_booking_meeting_fk" FOREIGN KEY ("tenant_id","meeting_id") REFERENCES "public"."meeting"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_booking" ADD CONSTRAINT "resource_booking_resource_fk" FOREIGN KEY ("tenant_id","resource_id") REFERENCES "public"."meeting_resource"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "approval_request_tenant_idx" ON "approval_request" USING btree ("tenant_id","start_time");--> statement-breakpoint
CREATE UNIQUE INDEX "meeting_resource_name_key" ON "meeting_resource" USING btree ("tenant_id",lower("name")) WHERE "meeting_resource"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "resource_assignment_account_key" ON "resource_assignment" USING btree ("resource_id","account_id") WHERE "resource_assignment"."account_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "resource_assignment_department_key" ON "resource_assignment" USING btree ("resource_id","department") WHERE "resource_assignment"."department" is not null;--> statement-breakpoint
CREATE INDEX "resource_assignment_account_idx" ON "resource_assignment" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "resource_booking_resource_start_idx" ON "resource_booking" USING btree ("resource_id","start_time");