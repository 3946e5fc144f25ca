CREATE TABLE "stored_file" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"owner_id" uuid,
	"name" text NOT NULL,
	"size" bigint NOT NULL,
	"sha256" text NOT NULL,
	"kind" text NOT NULL,
	"picture_type" text,
	"picture_width" integer,
	"picture_height" integer,
	"storage_key" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "stored_file_tenant_id_key" UNIQUE("tenant_id","id"),
	CONSTRAINT "stored_file_storage_key" UNIQUE("storage_key"),
	CONSTRAINT "stored_file_picture" CHECK (num_nulls("stored_file"."picture_type", "stored_file"."picture_width", "stored_file"."picture_height") in (0, 3))
);
--> statement-breakpoint
ALTER TABLE "conference" ALTER COLUMN "control" SET DEFAULT '{"version":0,"generation":1,"mode":"AUTO","speakerId":null,"chairId":null,"coChairIds":[],"locked":false,"muteOnEntry":false,"allowSelfUnmute":true,"waitingRoom":null,"order":[],"layout":{"model":"AUTO","places":[],"seats":[]},"allowOwnLayout":true,"window":null,"contentLockId":null,"banner":null,"polling":null,"timer":null,"rollCall":null,"vote":null,"shareFor":"all","chatFor":"all","reactions":true,"selfRename":true,"chatFiles":true,"terminals":{}}'::jsonb;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "chat_files" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "chat_file_megabytes" integer DEFAULT 50 NOT NULL;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "chat_file_kinds" text[] DEFAULT '{"picture","document","media","archive","other"}' NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_message" ADD COLUMN "file_id" uuid;--> statement-breakpoint
ALTER TABLE "stored_file" ADD CONSTRAINT "stored_file_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stored_file" ADD CONSTRAINT "stored_file_owner_fk" FOREIGN KEY ("tenant_id","owner_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stored_file_subject_idx" ON "stored_file" USING btree ("purpose","subject_id");--> statement-breakpoint
CREATE INDEX "stored_file_owner_idx" ON "stored_file" USING btree ("owner_id");--> statement-breakpoint
ALTER TABLE "chat_message" ADD CONSTRAINT "chat_message_file_fk" FOREIGN KEY ("tenant_id","file_id") REFERENCES "public"."stored_file"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "chat_message_file_key" ON "chat_message" USING btree ("file_id") WHERE "chat_message"."file_id" is not null;--> statement-breakpoint
ALTER TABLE "tenant" ADD CONSTRAINT "tenant_chat_files" CHECK ("tenant"."chat_file_megabytes" > 0);