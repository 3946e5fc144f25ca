DROP INDEX "account_account_key";--> statement-breakpoint
ALTER TABLE "known_device" DROP CONSTRAINT "known_device_pkey";--> statement-breakpoint
ALTER TABLE "known_device" ADD CONSTRAINT "known_device_pkey" PRIMARY KEY("key","account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "account_tenant_account_key" ON "account" USING btree ("tenant_id",lower("account"));--> statement-breakpoint
CREATE INDEX "account_account_idx" ON "account" USING btree (lower("account"),"created_at","id") WHERE "account"."deleted_at" is null;