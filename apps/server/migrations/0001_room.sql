ALTER TABLE "conference_command" RENAME COLUMN "concerned" TO "affected";--> statement-breakpoint
ALTER TABLE "terminal_session" RENAME COLUMN "barred" TO "banned";--> statement-breakpoint
ALTER INDEX "terminal_session_barred_idx" RENAME TO "terminal_session_banned_idx";--> statement-breakpoint
ALTER TABLE "notice_edition" RENAME COLUMN "facts" TO "snapshot";--> statement-breakpoint
CREATE TABLE "web_push_subscription" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"endpoint_hash" text NOT NULL,
	"sealed" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "web_push_subscription" ADD CONSTRAINT "web_push_subscription_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "web_push_subscription" ADD CONSTRAINT "web_push_subscription_session_id_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."session"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "web_push_subscription" ADD CONSTRAINT "web_push_subscription_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "web_push_subscription_endpoint_key" ON "web_push_subscription" USING btree ("endpoint_hash");--> statement-breakpoint
CREATE INDEX "web_push_subscription_account_idx" ON "web_push_subscription" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "web_push_subscription_session_idx" ON "web_push_subscription" USING btree ("session_id");--> statement-breakpoint
ALTER TABLE "conference" ALTER COLUMN "control" SET DEFAULT '{"version":0,"generation":1,"mode":"AUTO","speakerId":null,"chairId":null,"coChairIds":[],"locked":false,"muteOnEntry":false,"allowSelfUnmute":true,"waitingRoom":null,"order":[],"layout":{"model":"AUTO","places":[],"seats":[]},"allowOwnLayout":true,"window":null,"contentLockId":null,"banner":null,"polling":null,"timer":null,"rollCall":null,"vote":null,"shareFor":"all","chatFor":"all","reactions":true,"selfRename":true,"terminals":{}}'::jsonb;--> statement-breakpoint
ALTER TABLE "chat_message" ADD COLUMN "to_term_id" text;--> statement-breakpoint
ALTER TABLE "chat_message" ADD COLUMN "to_name" text;--> statement-breakpoint
ALTER TABLE "chat_message" ADD COLUMN "reply_to" uuid;--> statement-breakpoint
ALTER TABLE "chat_message" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "chat_message" ADD CONSTRAINT "chat_message_to_term_id_terminal_session_term_id_fk" FOREIGN KEY ("to_term_id") REFERENCES "public"."terminal_session"("term_id") ON DELETE no action ON UPDATE no action;
