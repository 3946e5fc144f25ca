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
ALTER TABLE "statistic_count" ADD CONSTRAINT "statistic_count_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statistic_day" ADD CONSTRAINT "statistic_day_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statistic_people" ADD CONSTRAINT "statistic_people_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statistic_quality" ADD CONSTRAINT "statistic_quality_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statistic_setting" ADD CONSTRAINT "statistic_setting_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statistic_sign_in" ADD CONSTRAINT "statistic_sign_in_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statistic_storage" ADD CONSTRAINT "statistic_storage_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statistic_use" ADD CONSTRAINT "statistic_use_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "statistic_count_counted_idx" ON "statistic_count" USING btree ("tenant_id","counted_at");--> statement-breakpoint
CREATE INDEX "statistic_day_department_idx" ON "statistic_day" USING btree ("tenant_id","department" text_pattern_ops,"day");--> statement-breakpoint
CREATE INDEX "statistic_quality_department_idx" ON "statistic_quality" USING btree ("tenant_id","department" text_pattern_ops,"day");--> statement-breakpoint
CREATE INDEX "statistic_sign_in_department_idx" ON "statistic_sign_in" USING btree ("tenant_id","department" text_pattern_ops,"day");