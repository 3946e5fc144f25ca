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
ALTER TABLE "account" ADD COLUMN "managed_by" text DEFAULT 'local' NOT NULL;--> statement-breakpoint
ALTER TABLE "directory" ADD CONSTRAINT "directory_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_account" ADD CONSTRAINT "directory_account_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_account" ADD CONSTRAINT "directory_account_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_account" ADD CONSTRAINT "directory_account_directory_fk" FOREIGN KEY ("tenant_id","directory_id") REFERENCES "public"."directory"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_change" ADD CONSTRAINT "directory_change_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_change" ADD CONSTRAINT "directory_change_round_fk" FOREIGN KEY ("tenant_id","round_id") REFERENCES "public"."directory_round"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_round" ADD CONSTRAINT "directory_round_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_round" ADD CONSTRAINT "directory_round_directory_fk" FOREIGN KEY ("tenant_id","directory_id") REFERENCES "public"."directory"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "directory_due_idx" ON "directory" USING btree ("next_round_at") WHERE "directory"."enabled";--> statement-breakpoint
CREATE UNIQUE INDEX "directory_account_unique_key" ON "directory_account" USING btree ("directory_id","unique_id");--> statement-breakpoint
CREATE INDEX "directory_account_seen_idx" ON "directory_account" USING btree ("directory_id","seen_in");--> statement-breakpoint
CREATE INDEX "directory_change_kind_idx" ON "directory_change" USING btree ("round_id","kind","id");--> statement-breakpoint
CREATE UNIQUE INDEX "directory_round_open_key" ON "directory_round" USING btree ("directory_id") WHERE "directory_round"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "directory_round_started_idx" ON "directory_round" USING btree ("directory_id","started_at");--> statement-breakpoint
CREATE INDEX "account_email_idx" ON "account" USING btree ("tenant_id",lower("email")) WHERE "account"."email" <> '' and "kind" = 'user' and "deleted_at" is null;--> statement-breakpoint
ALTER TABLE "account" ADD CONSTRAINT "account_managed_by" CHECK ("account"."managed_by" in ('local', 'directory'));