CREATE TABLE "account_certificate" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"fingerprint" text NOT NULL,
	"subject" text NOT NULL,
	"issuer" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "certificate_authority" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"certificate" text NOT NULL,
	"fingerprint" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "certificate_authority_tenant_id_key" UNIQUE("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "certificate_challenge" (
	"challenge_hash" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"secret_hash" text NOT NULL,
	"account_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "certificate_list" (
	"authority_id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"this_update" timestamp (3) with time zone,
	"next_update" timestamp (3) with time zone,
	"revoked" integer DEFAULT 0 NOT NULL,
	"fetched_at" timestamp (3) with time zone,
	"fault" text
);
--> statement-breakpoint
CREATE TABLE "certificate_revoked" (
	"tenant_id" uuid NOT NULL,
	"authority_id" uuid NOT NULL,
	"serial" text NOT NULL,
	CONSTRAINT "certificate_revoked_pkey" PRIMARY KEY("authority_id","serial")
);
--> statement-breakpoint
CREATE TABLE "certificate_rules" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"match" text NOT NULL,
	"domains" text[] NOT NULL,
	"refuse_stale" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tenant" ALTER COLUMN "sign_in_modes" SET DEFAULT '{"PASSWORD","QR","SMS","SSO","CERTIFICATE"}';--> statement-breakpoint
ALTER TABLE "account_certificate" ADD CONSTRAINT "account_certificate_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_certificate" ADD CONSTRAINT "account_certificate_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_authority" ADD CONSTRAINT "certificate_authority_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_challenge" ADD CONSTRAINT "certificate_challenge_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_challenge" ADD CONSTRAINT "certificate_challenge_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_list" ADD CONSTRAINT "certificate_list_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_list" ADD CONSTRAINT "certificate_list_authority_fk" FOREIGN KEY ("tenant_id","authority_id") REFERENCES "public"."certificate_authority"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_revoked" ADD CONSTRAINT "certificate_revoked_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_revoked" ADD CONSTRAINT "certificate_revoked_authority_fk" FOREIGN KEY ("tenant_id","authority_id") REFERENCES "public"."certificate_authority"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_rules" ADD CONSTRAINT "certificate_rules_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "account_certificate_fingerprint_key" ON "account_certificate" USING btree ("tenant_id","fingerprint");--> statement-breakpoint
CREATE INDEX "account_certificate_account_idx" ON "account_certificate" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "certificate_authority_fingerprint_key" ON "certificate_authority" USING btree ("tenant_id","fingerprint");--> statement-breakpoint
CREATE INDEX "certificate_challenge_expires_idx" ON "certificate_challenge" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "certificate_list_address_idx" ON "certificate_list" USING btree ("authority_id") WHERE "certificate_list"."address" <> '';