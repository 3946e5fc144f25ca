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
CREATE TABLE "factor_ticket" (
	"ticket_hash" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"method" text NOT NULL,
	"origin_id" uuid,
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
CREATE TABLE "scim_group" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"name" text NOT NULL,
	"external_id" text DEFAULT '' NOT NULL,
	"role_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "scim_group_tenant_id_key" UNIQUE("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "scim_member" (
	"group_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"tenant_id" uuid NOT NULL,
	CONSTRAINT "scim_member_pkey" PRIMARY KEY("group_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "scim_token" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "scim_user" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"external_id" text DEFAULT '' NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "directory" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"enabled" boolean NOT NULL,
	"makes_accounts" boolean NOT NULL,
	"settings" jsonb NOT NULL,
	"sealed_password" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"next_round_at" timestamp (3) with time zone,
	CONSTRAINT "directory_tenant_id_key" UNIQUE("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "directory_account" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"directory_id" uuid NOT NULL,
	"unique_id" text NOT NULL,
	"dn" text NOT NULL,
	"seen_in" uuid,
	"is_locked_there" boolean DEFAULT false NOT NULL,
	"disabled_by_round" boolean DEFAULT false NOT NULL,
	"password_stamp" text,
	"last_seen_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "directory_change" (
	"round_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"tenant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"account" text NOT NULL,
	"name" text NOT NULL,
	"dn" text NOT NULL,
	"reason" text,
	"fields" jsonb NOT NULL,
	"unique_id" text DEFAULT '' NOT NULL,
	"other_account_id" uuid,
	CONSTRAINT "directory_change_pkey" PRIMARY KEY("round_id","id")
);
--> statement-breakpoint
CREATE TABLE "directory_round" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"directory_id" uuid NOT NULL,
	"dry_run" boolean NOT NULL,
	"force" boolean DEFAULT false NOT NULL,
	"state" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"beat_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"is_cancelled" boolean DEFAULT false NOT NULL,
	"people" integer DEFAULT 0 NOT NULL,
	"created" integer DEFAULT 0 NOT NULL,
	"changed" integer DEFAULT 0 NOT NULL,
	"disabled" integer DEFAULT 0 NOT NULL,
	"restored" integer DEFAULT 0 NOT NULL,
	"collision" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"detail" text DEFAULT '' NOT NULL,
	CONSTRAINT "directory_round_tenant_id_key" UNIQUE("tenant_id","id"),
	CONSTRAINT "directory_round_end" CHECK (("directory_round"."ended_at" is null) = ("directory_round"."state" in ('waiting', 'running')))
);
--> statement-breakpoint
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
	"answer_sealed" text,
	"code_hash" text,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso_session" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"provider_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"sid" text DEFAULT '' NOT NULL,
	"hint_sealed" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso_token" (
	"provider_id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"token_sealed" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"leased_until" timestamp (3) with time zone NOT NULL
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
CREATE TABLE "invitation" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"token_hash" text,
	"expires_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone,
	"tries" integer DEFAULT 0 NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "user_task" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"change" jsonb,
	"state" text DEFAULT 'checked' NOT NULL,
	"actor" jsonb NOT NULL,
	"first_access" text,
	"turn_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "user_task_tenant_id_key" UNIQUE("tenant_id","id"),
	CONSTRAINT "user_task_state" CHECK ("user_task"."state" in ('checked', 'running', 'done', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "user_task_item" (
	"task_id" uuid NOT NULL,
	"tenant_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"row" integer,
	"account_id" uuid,
	"account" text DEFAULT '' NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"state" text NOT NULL,
	"values" jsonb,
	"columns" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"faults" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"failure" jsonb,
	"sealed_password" text,
	CONSTRAINT "user_task_item_task_id_position_pk" PRIMARY KEY("task_id","position")
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
DROP INDEX "account_tenant_account_key";--> statement-breakpoint
ALTER TABLE "tenant" ALTER COLUMN "sign_in_modes" SET DEFAULT '{"PASSWORD","QR","SMS","SSO","CERTIFICATE","PASSKEY"}';--> statement-breakpoint
ALTER TABLE "handover_ticket" ADD COLUMN "origin_id" uuid;--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "second_factor" text;--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "proven_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "origin_id" uuid;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "second_factor" jsonb DEFAULT '{"askedOf":"own","roleIds":[],"codes":[],"passkeyAlone":true,"networks":[],"onNewDevice":false,"onNewPlace":false,"places":[]}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "account" ADD COLUMN "managed_by" text DEFAULT 'local' NOT NULL;--> statement-breakpoint
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
ALTER TABLE "passkey" ADD CONSTRAINT "passkey_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkey" ADD CONSTRAINT "passkey_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkey_challenge" ADD CONSTRAINT "passkey_challenge_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
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
ALTER TABLE "scim_group" ADD CONSTRAINT "scim_group_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_group" ADD CONSTRAINT "scim_group_role_id_role_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."role"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_member" ADD CONSTRAINT "scim_member_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_member" ADD CONSTRAINT "scim_member_group_fk" FOREIGN KEY ("tenant_id","group_id") REFERENCES "public"."scim_group"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_member" ADD CONSTRAINT "scim_member_user_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_token" ADD CONSTRAINT "scim_token_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_user" ADD CONSTRAINT "scim_user_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_user" ADD CONSTRAINT "scim_user_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory" ADD CONSTRAINT "directory_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_account" ADD CONSTRAINT "directory_account_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_account" ADD CONSTRAINT "directory_account_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_account" ADD CONSTRAINT "directory_account_directory_fk" FOREIGN KEY ("tenant_id","directory_id") REFERENCES "public"."directory"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_change" ADD CONSTRAINT "directory_change_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_change" ADD CONSTRAINT "directory_change_round_fk" FOREIGN KEY ("tenant_id","round_id") REFERENCES "public"."directory_round"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_round" ADD CONSTRAINT "directory_round_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_round" ADD CONSTRAINT "directory_round_directory_fk" FOREIGN KEY ("tenant_id","directory_id") REFERENCES "public"."directory"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_identity" ADD CONSTRAINT "account_identity_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_identity" ADD CONSTRAINT "account_identity_provider_fk" FOREIGN KEY ("tenant_id","provider_id") REFERENCES "public"."identity_provider"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_identity" ADD CONSTRAINT "account_identity_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_provider" ADD CONSTRAINT "identity_provider_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_attempt" ADD CONSTRAINT "sso_attempt_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_attempt" ADD CONSTRAINT "sso_attempt_provider_fk" FOREIGN KEY ("tenant_id","provider_id") REFERENCES "public"."identity_provider"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_attempt" ADD CONSTRAINT "sso_attempt_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_session" ADD CONSTRAINT "sso_session_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_session" ADD CONSTRAINT "sso_session_provider_fk" FOREIGN KEY ("tenant_id","provider_id") REFERENCES "public"."identity_provider"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_session" ADD CONSTRAINT "sso_session_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_token" ADD CONSTRAINT "sso_token_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_token" ADD CONSTRAINT "sso_token_provider_fk" FOREIGN KEY ("tenant_id","provider_id") REFERENCES "public"."identity_provider"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_used" ADD CONSTRAINT "sso_used_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_used" ADD CONSTRAINT "sso_used_provider_fk" FOREIGN KEY ("tenant_id","provider_id") REFERENCES "public"."identity_provider"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_task" ADD CONSTRAINT "user_task_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_task_item" ADD CONSTRAINT "user_task_item_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_task_item" ADD CONSTRAINT "user_task_item_task_fk" FOREIGN KEY ("tenant_id","task_id") REFERENCES "public"."user_task"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
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
CREATE INDEX "factor_ticket_account_idx" ON "factor_ticket" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "factor_ticket_expires_idx" ON "factor_ticket" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "remembered_device_key" ON "remembered_device" USING btree ("account_id","device_id");--> statement-breakpoint
CREATE INDEX "remembered_device_expires_idx" ON "remembered_device" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "passkey_credential_key" ON "passkey" USING btree ("credential_id");--> statement-breakpoint
CREATE INDEX "passkey_account_idx" ON "passkey" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "passkey_challenge_expires_idx" ON "passkey_challenge" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "account_certificate_fingerprint_key" ON "account_certificate" USING btree ("tenant_id","fingerprint");--> statement-breakpoint
CREATE INDEX "account_certificate_account_idx" ON "account_certificate" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "certificate_authority_fingerprint_key" ON "certificate_authority" USING btree ("tenant_id","fingerprint");--> statement-breakpoint
CREATE INDEX "certificate_challenge_expires_idx" ON "certificate_challenge" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "certificate_list_address_idx" ON "certificate_list" USING btree ("authority_id") WHERE "certificate_list"."address" <> '';--> statement-breakpoint
CREATE INDEX "scim_group_name_idx" ON "scim_group" USING btree ("tenant_id","name");--> statement-breakpoint
CREATE INDEX "scim_member_account_idx" ON "scim_member" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "scim_token_hash_key" ON "scim_token" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "scim_token_tenant_idx" ON "scim_token" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "directory_due_idx" ON "directory" USING btree ("next_round_at") WHERE "directory"."enabled";--> statement-breakpoint
CREATE UNIQUE INDEX "directory_account_unique_key" ON "directory_account" USING btree ("directory_id","unique_id");--> statement-breakpoint
CREATE INDEX "directory_account_seen_idx" ON "directory_account" USING btree ("directory_id","seen_in");--> statement-breakpoint
CREATE INDEX "directory_change_kind_idx" ON "directory_change" USING btree ("round_id","kind","id");--> statement-breakpoint
CREATE UNIQUE INDEX "directory_round_open_key" ON "directory_round" USING btree ("directory_id") WHERE "directory_round"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "directory_round_started_idx" ON "directory_round" USING btree ("directory_id","started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "account_identity_subject_key" ON "account_identity" USING btree ("provider_id","subject");--> statement-breakpoint
CREATE UNIQUE INDEX "account_identity_account_key" ON "account_identity" USING btree ("account_id","provider_id");--> statement-breakpoint
CREATE UNIQUE INDEX "identity_provider_name_key" ON "identity_provider" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE INDEX "sso_attempt_expires_idx" ON "sso_attempt" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sso_session_subject_idx" ON "sso_session" USING btree ("provider_id","subject");--> statement-breakpoint
CREATE INDEX "sso_session_sid_idx" ON "sso_session" USING btree ("provider_id","sid") WHERE "sso_session"."sid" <> '';--> statement-breakpoint
CREATE INDEX "sso_session_created_idx" ON "sso_session" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "sso_used_expires_idx" ON "sso_used" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "invitation_token_hash_key" ON "invitation" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "invitation_due_idx" ON "invitation" USING btree ("due_at") WHERE "invitation"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "user_task_turn_idx" ON "user_task" USING btree ("turn_at") WHERE "user_task"."state" = 'running';--> statement-breakpoint
CREATE INDEX "user_task_created_idx" ON "user_task" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "user_task_item_state_idx" ON "user_task_item" USING btree ("task_id","state","position");--> statement-breakpoint
CREATE INDEX "webhook_tenant_idx" ON "webhook" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_webhook_idx" ON "webhook_delivery" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_waiting_idx" ON "webhook_delivery" USING btree ("webhook_id","id") WHERE "webhook_delivery"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_delivery_at_idx" ON "webhook_delivery" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_delivery_key" ON "webhook_delivery" USING btree ("webhook_id","key");--> statement-breakpoint
CREATE INDEX "session_origin_idx" ON "session" USING btree ("origin_id") WHERE "session"."origin_id" is not null;--> statement-breakpoint
CREATE INDEX "account_email_idx" ON "account" USING btree ("tenant_id",lower("email")) WHERE "account"."email" <> '' and "kind" = 'user' and "deleted_at" is null;--> statement-breakpoint
CREATE INDEX "audit_log_client_idx" ON "audit_log" USING btree ("tenant_id","client_id","at") WHERE "audit_log"."client_id" <> '';--> statement-breakpoint
CREATE UNIQUE INDEX "account_tenant_account_key" ON "account" USING btree ("tenant_id",lower("account")) WHERE "account"."deleted_at" is null;--> statement-breakpoint
ALTER TABLE "account" ADD CONSTRAINT "account_managed_by" CHECK ("account"."managed_by" in ('local', 'directory'));--> statement-breakpoint
ALTER TABLE "account" ADD CONSTRAINT "account_kind" CHECK ("account"."kind" in ('user', 'operator', 'service'));--> statement-breakpoint
ALTER TABLE "account" ADD CONSTRAINT "account_admin_kind" CHECK (not ("account"."kind" = 'operator' and "account"."is_tenant_admin") and not ("account"."kind" <> 'operator' and "account"."is_super_admin"));--> statement-breakpoint
-- The new ways work only where the tenant has identity providers or certificate authorities, or its people passkeys.
UPDATE "tenant" SET "sign_in_modes" = "sign_in_modes" || '{"SSO","CERTIFICATE","PASSKEY"}'::text[];
