CREATE TABLE "installation" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"setup_hash" text,
	"public_url" text,
	"changed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "installation" ADD CONSTRAINT "installation_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;