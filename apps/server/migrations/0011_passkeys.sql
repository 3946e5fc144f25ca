CREATE TABLE "passkey" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"credential_id" text NOT NULL,
	"rp_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"name" text NOT NULL,
	"user_agent" text NOT NULL,
	"is_backed_up" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "passkey_counter" CHECK ("passkey"."counter" >= 0)
);
--> statement-breakpoint
CREATE TABLE "passkey_challenge" (
	"hash" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"bound_to" text NOT NULL,
	"rp_id" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "passkey_challenge_purpose" CHECK ("passkey_challenge"."purpose" in ('add', 'signIn', 'factor', 'proof'))
);
--> statement-breakpoint
ALTER TABLE "tenant" ALTER COLUMN "sign_in_modes" SET DEFAULT '{"PASSWORD","QR","SMS","SSO","PASSKEY"}';--> statement-breakpoint
ALTER TABLE "tenant" ALTER COLUMN "second_factor" SET DEFAULT '{"askedOf":"own","roleIds":[],"codes":[],"passkeyAlone":true,"networks":[],"onNewDevice":false,"onNewPlace":false,"places":[]}'::jsonb;--> statement-breakpoint
ALTER TABLE "passkey" ADD CONSTRAINT "passkey_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkey" ADD CONSTRAINT "passkey_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkey_challenge" ADD CONSTRAINT "passkey_challenge_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "passkey_credential_key" ON "passkey" USING btree ("credential_id");--> statement-breakpoint
CREATE INDEX "passkey_account_idx" ON "passkey" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "passkey_challenge_expires_idx" ON "passkey_challenge" USING btree ("expires_at");--> statement-breakpoint
-- Where no one has a passkey, the mode has no effect on others.
UPDATE "tenant" SET "sign_in_modes" = array_append("sign_in_modes", 'PASSKEY') WHERE NOT 'PASSKEY' = ANY("sign_in_modes");--> statement-breakpoint
UPDATE "tenant" SET "second_factor" = "second_factor" || '{"passkeyAlone":true}'::jsonb WHERE NOT "second_factor" ? 'passkeyAlone';
