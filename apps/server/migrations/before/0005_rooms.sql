CREATE TABLE "building" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"name" text NOT NULL,
	"sort_name" text NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"time_zone" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "building_tenant_id_key" UNIQUE("tenant_id","id"),
	CONSTRAINT "building_version" CHECK ("building"."version" > 0)
);
--> statement-breakpoint
CREATE TABLE "room" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"building_id" uuid NOT NULL,
	"name" text NOT NULL,
	"sort_name" text NOT NULL,
	"floor" text NOT NULL,
	"sort_floor" text NOT NULL,
	"capacity" integer NOT NULL,
	"equipment" text[] DEFAULT '{}' NOT NULL,
	"opening" jsonb,
	"release_minutes" integer,
	"note" text DEFAULT '' NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "room_tenant_id_key" UNIQUE("tenant_id","id"),
	CONSTRAINT "room_capacity" CHECK ("room"."capacity" > 0),
	CONSTRAINT "room_release_minutes" CHECK ("room"."release_minutes" > 0),
	CONSTRAINT "room_version" CHECK ("room"."version" > 0)
);
--> statement-breakpoint
CREATE TABLE "room_booking" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"meeting_id" uuid NOT NULL,
	"room_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"start_time" timestamp (3) with time zone NOT NULL,
	"end_time" timestamp (3) with time zone NOT NULL,
	"checked_in_at" timestamp (3) with time zone,
	"released_at" timestamp (3) with time zone,
	CONSTRAINT "room_booking_times" CHECK ("room_booking"."end_time" > "room_booking"."start_time")
);
--> statement-breakpoint
ALTER TABLE "building" ADD CONSTRAINT "building_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "room" ADD CONSTRAINT "room_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "room" ADD CONSTRAINT "room_building_fk" FOREIGN KEY ("tenant_id","building_id") REFERENCES "public"."building"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "room_booking" ADD CONSTRAINT "room_booking_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "room_booking" ADD CONSTRAINT "room_booking_meeting_fk" FOREIGN KEY ("tenant_id","meeting_id") REFERENCES "public"."meeting"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "room_booking" ADD CONSTRAINT "room_booking_room_fk" FOREIGN KEY ("tenant_id","room_id") REFERENCES "public"."room"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "building_name_key" ON "building" USING btree ("tenant_id",lower("name")) WHERE "building"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "room_name_key" ON "room" USING btree ("building_id",lower("name")) WHERE "room"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "room_booking_meeting_key" ON "room_booking" USING btree ("meeting_id","room_id") WHERE "room_booking"."released_at" is null;--> statement-breakpoint
CREATE INDEX "room_booking_room_start_idx" ON "room_booking" USING btree ("room_id","start_time");--> statement-breakpoint
CREATE INDEX "room_booking_unused_idx" ON "room_booking" USING btree ("start_time") WHERE "room_booking"."checked_in_at" is null and "room_booking"."released_at" is null;--> statement-breakpoint
-- No room is booked twice at a time, however many book at once: the database itself refuses the second. Bookings that were
-- given back do not count. By hand, for drizzle does not know exclusion constraints; the extension is made in migrate.ts.
ALTER TABLE "room_booking" ADD CONSTRAINT "room_booking_once" EXCLUDE USING gist ("room_id" WITH =, tstzrange("start_time","end_time") WITH &&) WHERE ("released_at" is null);
