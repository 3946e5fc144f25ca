CREATE TABLE "assistant_setting" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"answers" text DEFAULT 'manual' NOT NULL,
	"desk_mail" text DEFAULT '' NOT NULL,
	"model_url" text DEFAULT '' NOT NULL,
	"model_name" text DEFAULT '' NOT NULL,
	"model_key_sealed" text,
	"page_url" text DEFAULT '' NOT NULL,
	"page_secret_sealed" text,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "assistant_setting_answers" CHECK ("assistant_setting"."answers" in ('manual', 'model', 'page')),
	CONSTRAINT "assistant_setting_version" CHECK ("assistant_setting"."version" > 0)
);
--> statement-breakpoint
ALTER TABLE "assistant_setting" ADD CONSTRAINT "assistant_setting_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;