CREATE TABLE "phone_code" (
	"ticket_hash" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"code_hash" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "phone_code_tries" CHECK ("phone_code"."tries" >= 0)
);
--> statement-breakpoint
CREATE TABLE "scan_logon" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"code_hash" text NOT NULL,
	"address" text NOT NULL,
	"user_agent" text NOT NULL,
	"state" text NOT NULL,
	"account_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "scan_logon_state" CHECK ("scan_logon"."state" in ('waiting', 'scanned', 'confirmed', 'refused')),
	CONSTRAINT "scan_logon_account" CHECK (("scan_logon"."account_id" is null) = ("scan_logon"."state" = 'waiting'))
);
--> statement-breakpoint
ALTER TABLE "handover_ticket" ADD COLUMN "device_kind" text DEFAULT 'computer' NOT NULL;--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "device_kind" text DEFAULT 'computer' NOT NULL;--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "method" text DEFAULT 'PASSWORD' NOT NULL;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "sign_in_modes" text[] DEFAULT '{"PASSWORD","QR","SMS"}' NOT NULL;--> statement-breakpoint
ALTER TABLE "phone_code" ADD CONSTRAINT "phone_code_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_code" ADD CONSTRAINT "phone_code_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scan_logon" ADD CONSTRAINT "scan_logon_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "phone_code_expires_idx" ON "phone_code" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "scan_logon_code_key" ON "scan_logon" USING btree ("code_hash");--> statement-breakpoint
CREATE INDEX "scan_logon_expires_idx" ON "scan_logon" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "account_phone_idx" ON "account" USING btree (regexp_replace(regexp_replace("phone", '[\s-]', '', 'g'), '^\+86', '')) WHERE "account"."phone" <> '' and "kind" = 'user' and "deleted_at" is null;--> statement-breakpoint
ALTER TABLE "handover_ticket" ADD CONSTRAINT "handover_ticket_device_kind" CHECK ("handover_ticket"."device_kind" in ('computer', 'phone'));--> statement-breakpoint
ALTER TABLE "session" ADD CONSTRAINT "session_device_kind" CHECK ("session"."device_kind" in ('computer', 'phone'));