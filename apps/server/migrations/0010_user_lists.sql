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
DROP INDEX "account_tenant_account_key";--> statement-breakpoint
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_task" ADD CONSTRAINT "user_task_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_task_item" ADD CONSTRAINT "user_task_item_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_task_item" ADD CONSTRAINT "user_task_item_task_fk" FOREIGN KEY ("tenant_id","task_id") REFERENCES "public"."user_task"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "invitation_token_hash_key" ON "invitation" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "invitation_due_idx" ON "invitation" USING btree ("due_at") WHERE "invitation"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "user_task_turn_idx" ON "user_task" USING btree ("turn_at") WHERE "user_task"."state" = 'running';--> statement-breakpoint
CREATE INDEX "user_task_created_idx" ON "user_task" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "user_task_item_state_idx" ON "user_task_item" USING btree ("task_id","state","position");--> statement-breakpoint
CREATE UNIQUE INDEX "account_tenant_account_key" ON "account" USING btree ("tenant_id",lower("account")) WHERE "account"."deleted_at" is null;