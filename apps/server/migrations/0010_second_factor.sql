CREATE TABLE "factor_ticket" (
	"ticket_hash" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"method" text NOT NULL,
	"device_id" text NOT NULL,
	"ways" text[] NOT NULL,
	"may_enrol" boolean NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"code_hash" text,
	"code_way" text,
	"code_sent_at" timestamp (3) with time zone,
	"pending_sealed" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "factor_ticket_tries" CHECK ("factor_ticket"."tries" >= 0)
);
--> statement-breakpoint
CREATE TABLE "recovery_code" (
	"account_id" uuid NOT NULL,
	"mac" text NOT NULL,
	"tenant_id" uuid NOT NULL,
	CONSTRAINT "recovery_code_pkey" PRIMARY KEY("account_id","mac")
);
--> statement-breakpoint
CREATE TABLE "remembered_device" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"device_id" text NOT NULL,
	"user_agent" text NOT NULL,
	"address" text NOT NULL,
	"remembered_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "second_factor" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"totp_sealed" text,
	"totp_since" timestamp (3) with time zone,
	"totp_step" bigint,
	"pending_sealed" text,
	"pending_until" timestamp (3) with time zone,
	"suspended_until" timestamp (3) with time zone,
	"sign_in_mail" boolean DEFAULT true NOT NULL,
	CONSTRAINT "second_factor_totp" CHECK (("second_factor"."totp_sealed" is null) = ("second_factor"."totp_since" is null)),
	CONSTRAINT "second_factor_pending" CHECK (("second_factor"."pending_sealed" is null) = ("second_factor"."pending_until" is null))
);
--> statement-breakpoint
CREATE TABLE "sign_in_place" (
	"account_id" uuid NOT NULL,
	"place" text NOT NULL,
	"tenant_id" uuid NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sign_in_place_pkey" PRIMARY KEY("account_id","place")
);
--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "second_factor" text;--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "proven_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "second_factor" jsonb DEFAULT '{"askedOf":"own","roleIds":[],"codes":[],"networks":[],"onNewDevice":false,"onNewPlace":false,"places":[]}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "factor_ticket" ADD CONSTRAINT "factor_ticket_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "factor_ticket" ADD CONSTRAINT "factor_ticket_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_code" ADD CONSTRAINT "recovery_code_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_code" ADD CONSTRAINT "recovery_code_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "remembered_device" ADD CONSTRAINT "remembered_device_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "remembered_device" ADD CONSTRAINT "remembered_device_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_factor" ADD CONSTRAINT "second_factor_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_factor" ADD CONSTRAINT "second_factor_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_place" ADD CONSTRAINT "sign_in_place_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_place" ADD CONSTRAINT "sign_in_place_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "factor_ticket_account_idx" ON "factor_ticket" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "factor_ticket_expires_idx" ON "factor_ticket" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "remembered_device_key" ON "remembered_device" USING btree ("account_id","device_id");--> statement-breakpoint
CREATE INDEX "remembered_device_expires_idx" ON "remembered_device" USING btree ("expires_at");