CREATE TABLE "sso_token" (
	"provider_id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"token_sealed" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"leased_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sso_session" DROP CONSTRAINT "sso_session_session_id_session_id_fk";
--> statement-breakpoint
ALTER TABLE "factor_ticket" ADD COLUMN "origin_id" uuid;--> statement-breakpoint
ALTER TABLE "handover_ticket" ADD COLUMN "origin_id" uuid;--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "origin_id" uuid;--> statement-breakpoint
ALTER TABLE "sso_attempt" ADD COLUMN "answer_sealed" text;--> statement-breakpoint
ALTER TABLE "sso_attempt" ADD COLUMN "code_hash" text;--> statement-breakpoint
ALTER TABLE "sso_session" RENAME COLUMN "session_id" TO "id";--> statement-breakpoint
ALTER TABLE "sso_session" ADD COLUMN "created_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "sso_session" ALTER COLUMN "created_at" DROP DEFAULT;--> statement-breakpoint
UPDATE "session" SET "origin_id" = "sso_session"."id" FROM "sso_session" WHERE "sso_session"."id" = "session"."id";--> statement-breakpoint
ALTER TABLE "sso_token" ADD CONSTRAINT "sso_token_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_token" ADD CONSTRAINT "sso_token_provider_fk" FOREIGN KEY ("tenant_id","provider_id") REFERENCES "public"."identity_provider"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_session" ADD CONSTRAINT "sso_session_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "session_origin_idx" ON "session" USING btree ("origin_id") WHERE "session"."origin_id" is not null;--> statement-breakpoint
CREATE INDEX "sso_session_created_idx" ON "sso_session" USING btree ("created_at");