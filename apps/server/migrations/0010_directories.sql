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
ALTER TABLE "account" ADD COLUMN "managed_by" text DEFAULT 'local' NOT NULL;--> statement-breakpoint
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
CREATE INDEX "account_email_idx" ON "account" USING btree ("tenant_id",lower("email")) WHERE "account"."email" <> '' and "kind" = 'user' and "deleted_at" is null;--> statement-breakpoint
ALTER TABLE "account" ADD CONSTRAINT "account_managed_by" CHECK ("account"."managed_by" in ('local', 'directory'));