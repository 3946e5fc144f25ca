CREATE TABLE "registered_terminal" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"name" text NOT NULL,
	"address" text NOT NULL,
	"address_key" text NOT NULL,
	"kind" text NOT NULL,
	"room_id" uuid,
	"zone" text DEFAULT '' NOT NULL,
	"department" text DEFAULT '' NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"last_seen_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "registered_terminal_kind" CHECK ("registered_terminal"."kind" in ('sip', 'h323', 'rooms', 'phone', 'rtsp')),
	CONSTRAINT "registered_terminal_version" CHECK ("registered_terminal"."version" > 0)
);
--> statement-breakpoint
ALTER TABLE "registered_terminal" ADD CONSTRAINT "registered_terminal_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registered_terminal" ADD CONSTRAINT "registered_terminal_room_fk" FOREIGN KEY ("tenant_id","room_id") REFERENCES "public"."room"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "registered_terminal_address_key" ON "registered_terminal" USING btree ("tenant_id","address_key");--> statement-breakpoint
CREATE INDEX "registered_terminal_search_idx" ON "registered_terminal" USING gin (search_grams("tenant_id", "name"),search_grams("tenant_id", "address")) WITH (gin_pending_list_limit=256);--> statement-breakpoint
CREATE INDEX "registered_terminal_name_idx" ON "registered_terminal" USING btree ("tenant_id","name","id");--> statement-breakpoint
CREATE INDEX "registered_terminal_room_idx" ON "registered_terminal" USING btree ("tenant_id","room_id");