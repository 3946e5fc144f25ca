CREATE TABLE "account_identity" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"provider_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"label" text DEFAULT '' NOT NULL,
	"made_account" boolean DEFAULT false NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "identity_provider" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"sort" integer DEFAULT 0 NOT NULL,
	"settings" jsonb NOT NULL,
	"secret_sealed" text,
	"rules" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "identity_provider_tenant_id_key" UNIQUE("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "sso_attempt" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"provider_id" uuid NOT NULL,
	"secret_hash" text NOT NULL,
	"kept_sealed" text NOT NULL,
	"redirect" text NOT NULL,
	"account_id" uuid,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso_session" (
	"session_id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"provider_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"sid" text DEFAULT '' NOT NULL,
	"hint_sealed" text
);
--> statement-breakpoint
CREATE TABLE "sso_used" (
	"tenant_id" uuid NOT NULL,
	"provider_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sso_used_pkey" PRIMARY KEY("provider_id","hash")
);
--> statement-breakpoint
ALTER TABLE "tenant" ALTER COLUMN "sign_in_modes" SET DEFAULT '{"PASSWORD","QR","SMS","SSO"}';--> statement-breakpoint
ALTER TABLE "account_identity" ADD CONSTRAINT "account_identity_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_identity" ADD CONSTRAINT "account_identity_provider_fk" FOREIGN KEY ("tenant_id","provider_id") REFERENCES "public"."identity_provider"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_identity" ADD CONSTRAINT "account_identity_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_provider" ADD CONSTRAINT "identity_provider_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_attempt" ADD CONSTRAINT "sso_attempt_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_attempt" ADD CONSTRAINT "sso_attempt_provider_fk" FOREIGN KEY ("tenant_id","provider_id") REFERENCES "public"."identity_provider"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_attempt" ADD CONSTRAINT "sso_attempt_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_session" ADD CONSTRAINT "sso_session_session_id_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."session"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_session" ADD CONSTRAINT "sso_session_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_session" ADD CONSTRAINT "sso_session_provider_fk" FOREIGN KEY ("tenant_id","provider_id") REFERENCES "public"."identity_provider"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_used" ADD CONSTRAINT "sso_used_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_used" ADD CONSTRAINT "sso_used_provider_fk" FOREIGN KEY ("tenant_id","provider_id") REFERENCES "public"."identity_provider"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "account_identity_subject_key" ON "account_identity" USING btree ("provider_id","subject");--> statement-breakpoint
CREATE UNIQUE INDEX "account_identity_account_key" ON "account_identity" USING btree ("account_id","provider_id");--> statement-breakpoint
CREATE UNIQUE INDEX "identity_provider_name_key" ON "identity_provider" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE INDEX "sso_attempt_expires_idx" ON "sso_attempt" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sso_session_subject_idx" ON "sso_session" USING btree ("provider_id","subject");--> statement-breakpoint
CREATE INDEX "sso_session_sid_idx" ON "sso_session" USING btree ("provider_id","sid") WHERE "sso_session"."sid" <> '';--> statement-breakpoint
CREATE INDEX "sso_used_expires_idx" ON "sso_used" USING btree ("expires_at");--> statement-breakpoint
-- Without identity providers the mode has no effect; with the first one, people find it.
UPDATE "tenant" SET "sign_in_modes" = array_append("sign_in_modes", 'SSO') WHERE NOT 'SSO' = ANY("sign_in_modes");
