CREATE TABLE "api_assertion" (
	"key" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_call" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"account_id" uuid,
	"action" text NOT NULL,
	"status" integer NOT NULL,
	"ms" integer NOT NULL,
	"address" text NOT NULL,
	"request_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_client" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"scopes" jsonb NOT NULL,
	"networks" jsonb NOT NULL,
	"per_minute" integer NOT NULL,
	"whole_tenant" boolean NOT NULL,
	"acts_for_users" boolean NOT NULL,
	"public_key" text NOT NULL,
	"enabled" boolean NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "api_client_tenant_id_key" UNIQUE("tenant_id","id"),
	CONSTRAINT "api_client_per_minute" CHECK ("api_client"."per_minute" > 0)
);
--> statement-breakpoint
CREATE TABLE "api_grant" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"account_id" uuid,
	"granted_by" text NOT NULL,
	"granted_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "api_grant_tenant_id_key" UNIQUE("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "api_secret" (
	"hash" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"ending" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "api_token" (
	"hash" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"grant_id" uuid,
	"scopes" jsonb NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"client_id" uuid,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"events" jsonb NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"sealed" text NOT NULL,
	"former_sealed" text,
	"former_until" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"busy_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "webhook_tenant_id_key" UNIQUE("tenant_id","id"),
	CONSTRAINT "webhook_state" CHECK ("webhook"."state" in ('active', 'disabled', 'stopped'))
);
--> statement-breakpoint
CREATE TABLE "webhook_delivery" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"webhook_id" uuid NOT NULL,
	"event" text NOT NULL,
	"key" text,
	"at" timestamp (3) with time zone NOT NULL,
	"payload" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"tried_at" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone,
	"status" integer,
	"answer" text DEFAULT '' NOT NULL,
	"ms" integer,
	CONSTRAINT "webhook_delivery_state" CHECK ("webhook_delivery"."state" in ('waiting', 'delivered', 'failed'))
);
--> statement-breakpoint
ALTER TABLE "account" DROP CONSTRAINT "account_kind";--> statement-breakpoint
ALTER TABLE "account" DROP CONSTRAINT "account_admin_kind";--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "client_id" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "client_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_assertion" ADD CONSTRAINT "api_assertion_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_call" ADD CONSTRAINT "api_call_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_call" ADD CONSTRAINT "api_call_client_fk" FOREIGN KEY ("tenant_id","client_id") REFERENCES "public"."api_client"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_client" ADD CONSTRAINT "api_client_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_client" ADD CONSTRAINT "api_client_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_grant" ADD CONSTRAINT "api_grant_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_grant" ADD CONSTRAINT "api_grant_client_fk" FOREIGN KEY ("tenant_id","client_id") REFERENCES "public"."api_client"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_grant" ADD CONSTRAINT "api_grant_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_secret" ADD CONSTRAINT "api_secret_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_secret" ADD CONSTRAINT "api_secret_client_fk" FOREIGN KEY ("tenant_id","client_id") REFERENCES "public"."api_client"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_token" ADD CONSTRAINT "api_token_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_token" ADD CONSTRAINT "api_token_client_fk" FOREIGN KEY ("tenant_id","client_id") REFERENCES "public"."api_client"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_token" ADD CONSTRAINT "api_token_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_token" ADD CONSTRAINT "api_token_grant_fk" FOREIGN KEY ("tenant_id","grant_id") REFERENCES "public"."api_grant"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook" ADD CONSTRAINT "webhook_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook" ADD CONSTRAINT "webhook_client_fk" FOREIGN KEY ("tenant_id","client_id") REFERENCES "public"."api_client"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_webhook_fk" FOREIGN KEY ("tenant_id","webhook_id") REFERENCES "public"."webhook"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_assertion_expires_idx" ON "api_assertion" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "api_call_client_idx" ON "api_call" USING btree ("client_id","at","id");--> statement-breakpoint
CREATE INDEX "api_call_at_idx" ON "api_call" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "api_client_name_key" ON "api_client" USING btree ("tenant_id",lower("name")) WHERE "api_client"."ended_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "api_grant_open_key" ON "api_grant" USING btree ("client_id",coalesce("account_id", '00000000-0000-0000-0000-000000000000')) WHERE "api_grant"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "api_grant_account_idx" ON "api_grant" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "api_secret_client_idx" ON "api_secret" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "api_token_client_idx" ON "api_token" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "api_token_expires_idx" ON "api_token" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "webhook_tenant_idx" ON "webhook" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_webhook_idx" ON "webhook_delivery" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_waiting_idx" ON "webhook_delivery" USING btree ("webhook_id","id") WHERE "webhook_delivery"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_delivery_at_idx" ON "webhook_delivery" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_delivery_key" ON "webhook_delivery" USING btree ("webhook_id","key");--> statement-breakpoint
CREATE INDEX "audit_log_client_idx" ON "audit_log" USING btree ("tenant_id","client_id","at") WHERE "audit_log"."client_id" <> '';--> statement-breakpoint
ALTER TABLE "account" ADD CONSTRAINT "account_kind" CHECK ("account"."kind" in ('user', 'operator', 'service'));--> statement-breakpoint
ALTER TABLE "account" ADD CONSTRAINT "account_admin_kind" CHECK (not ("account"."kind" = 'operator' and "account"."is_tenant_admin") and not ("account"."kind" <> 'operator' and "account"."is_super_admin"));