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
ALTER TABLE "client_package" ADD CONSTRAINT "client_package_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_package" ADD CONSTRAINT "client_package_file_fk" FOREIGN KEY ("tenant_id","file_id") REFERENCES "public"."stored_file"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "host_key" ADD CONSTRAINT "host_key_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "host_key" ADD CONSTRAINT "host_key_meeting_fk" FOREIGN KEY ("tenant_id","meeting_id") REFERENCES "public"."meeting"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "host_key" ADD CONSTRAINT "host_key_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "client_package_version_key" ON "client_package" USING btree ("tenant_id","type","version_parts") WHERE "client_package"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "client_package_order_idx" ON "client_package" USING btree ("type","version_parts");--> statement-breakpoint
CREATE INDEX "host_key_expires_idx" ON "host_key" USING btree ("expires_at");