CREATE TABLE "command_ack" (
	"command_id" uuid NOT NULL,
	"term_id" text NOT NULL,
	"tenant_id" uuid NOT NULL,
	"latency" integer NOT NULL,
	"failed" text,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "command_ack_pkey" PRIMARY KEY("command_id","term_id")
);
--> statement-breakpoint
CREATE TABLE "conference_call" (
	"conference_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"tenant_id" uuid NOT NULL,
	"called_at" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"declined_at" timestamp (3) with time zone,
	"mail" text NOT NULL,
	CONSTRAINT "conference_call_pkey" PRIMARY KEY("conference_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "conference_command" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"conference_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"verb" text NOT NULL,
	"command" jsonb NOT NULL,
	"commander" jsonb NOT NULL,
	"changes" jsonb NOT NULL,
	"concerned" text[] NOT NULL,
	"push_version" bigint NOT NULL,
	"undoes" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "conference_command_version_key" UNIQUE("conference_id","version"),
	CONSTRAINT "conference_command_tenant_id_key" UNIQUE("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "desk_link" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"meeting_id" uuid NOT NULL,
	"part" text NOT NULL,
	"scope" text NOT NULL,
	"token_hash" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "desk_link_tenant_id_key" UNIQUE("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "desk_session" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "media_report" (
	"term_id" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"conference_id" uuid NOT NULL,
	"report" jsonb NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "watcher" (
	"identity" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"conference_id" uuid NOT NULL,
	"link_id" uuid,
	"session_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "watcher_one" CHECK (("watcher"."link_id" is null) <> ("watcher"."session_id" is null))
);
--> statement-breakpoint
CREATE TABLE "meeting_grant" (
	"meeting_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"tenant_id" uuid NOT NULL,
	"granted_by" text NOT NULL,
	"granted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "meeting_grant_pkey" PRIMARY KEY("meeting_id","account_id")
);
--> statement-breakpoint
ALTER TABLE "conference" ADD COLUMN "control" jsonb DEFAULT '{"version":0,"mode":"AUTO","speakerId":null,"chairId":null,"coChairIds":[],"locked":false,"muteOnEntry":false,"allowSelfUnmute":true,"waitingRoom":null,"order":[],"terminals":{}}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "terminal_session" ADD COLUMN "message" text;--> statement-breakpoint
ALTER TABLE "terminal_session" ADD COLUMN "device_mark" text;--> statement-breakpoint
ALTER TABLE "terminal_session" ADD COLUMN "barred" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "command_ack" ADD CONSTRAINT "command_ack_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "command_ack" ADD CONSTRAINT "command_ack_command_fk" FOREIGN KEY ("tenant_id","command_id") REFERENCES "public"."conference_command"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conference_call" ADD CONSTRAINT "conference_call_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conference_call" ADD CONSTRAINT "conference_call_conference_fk" FOREIGN KEY ("tenant_id","conference_id") REFERENCES "public"."conference"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conference_call" ADD CONSTRAINT "conference_call_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conference_command" ADD CONSTRAINT "conference_command_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conference_command" ADD CONSTRAINT "conference_command_conference_fk" FOREIGN KEY ("tenant_id","conference_id") REFERENCES "public"."conference"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_link" ADD CONSTRAINT "desk_link_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_link" ADD CONSTRAINT "desk_link_meeting_fk" FOREIGN KEY ("tenant_id","meeting_id") REFERENCES "public"."meeting"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_session" ADD CONSTRAINT "desk_session_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_session" ADD CONSTRAINT "desk_session_link_fk" FOREIGN KEY ("tenant_id","link_id") REFERENCES "public"."desk_link"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_report" ADD CONSTRAINT "media_report_term_id_terminal_session_term_id_fk" FOREIGN KEY ("term_id") REFERENCES "public"."terminal_session"("term_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_report" ADD CONSTRAINT "media_report_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watcher" ADD CONSTRAINT "watcher_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watcher" ADD CONSTRAINT "watcher_conference_fk" FOREIGN KEY ("tenant_id","conference_id") REFERENCES "public"."conference"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_grant" ADD CONSTRAINT "meeting_grant_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_grant" ADD CONSTRAINT "meeting_grant_meeting_fk" FOREIGN KEY ("tenant_id","meeting_id") REFERENCES "public"."meeting"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_grant" ADD CONSTRAINT "meeting_grant_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "conference_command_undoes_key" ON "conference_command" USING btree ("undoes") WHERE "conference_command"."undoes" is not null;--> statement-breakpoint
CREATE INDEX "conference_command_push_idx" ON "conference_command" USING btree ("conference_id","push_version");--> statement-breakpoint
CREATE UNIQUE INDEX "desk_link_hash_key" ON "desk_link" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "desk_link_meeting_idx" ON "desk_link" USING btree ("meeting_id","created_at");--> statement-breakpoint
CREATE INDEX "desk_session_link_idx" ON "desk_session" USING btree ("link_id");--> statement-breakpoint
CREATE INDEX "media_report_conference_idx" ON "media_report" USING btree ("conference_id","at");--> statement-breakpoint
CREATE INDEX "watcher_conference_idx" ON "watcher" USING btree ("conference_id");--> statement-breakpoint
CREATE INDEX "meeting_grant_account_idx" ON "meeting_grant" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "terminal_session_barred_idx" ON "terminal_session" USING btree ("conference_id") WHERE "terminal_session"."barred";