ALTER TABLE "tenant" ADD COLUMN "welcome_zh" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "welcome_en" text DEFAULT '' NOT NULL;