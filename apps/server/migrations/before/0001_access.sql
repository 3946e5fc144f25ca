-- All runs of one, two and three characters of a text, each hashed together with the tenant: what a search index holds.
-- So one look into the index finds a tenant's rows alone, and keywords of one character, too, which trigrams do not.
-- (A loop, because it takes a third of the time of a query here. At the end of the text runs come twice, which is no harm.)
CREATE FUNCTION search_grams(tenant uuid, source text) RETURNS integer[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
DECLARE
  lowered text := lower(source);
  own integer := uuid_hash(tenant);
  grams integer[] := '{}';
BEGIN
  FOR start IN 1 .. length(lowered) LOOP
    grams := grams || array[hashtext(substr(lowered, start, 1)) # own, hashtext(substr(lowered, start, 2)) # own, hashtext(substr(lowered, start, 3)) # own];
  END LOOP;
  RETURN grams;
END $$;
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"tenant_name" text DEFAULT '' NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" text NOT NULL,
	"actor_name" text NOT NULL,
	"address" text NOT NULL,
	"action" text NOT NULL,
	"target_kind" text NOT NULL,
	"target_id" text NOT NULL,
	"target_name" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"request_id" text NOT NULL,
	CONSTRAINT "audit_log_actor_kind" CHECK ("audit_log"."actor_kind" in ('user', 'operator', 'terminal', 'system'))
);
--> statement-breakpoint
CREATE TABLE "handover_ticket" (
	"hash" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"device_id" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "known_device" (
	"key" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "guest_token" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"meeting_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"uses" integer DEFAULT 0 NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "guest_token_tenant_id_key" UNIQUE("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "account_permission" (
	"tenant_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"permission_id" uuid NOT NULL,
	CONSTRAINT "account_permission_pkey" PRIMARY KEY("account_id","permission_id")
);
--> statement-breakpoint
CREATE TABLE "permission" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"pid" uuid,
	"type" smallint NOT NULL,
	"code" text,
	"name" text NOT NULL,
	"name_en" text DEFAULT '' NOT NULL,
	"url" text DEFAULT '' NOT NULL,
	"redirect" text DEFAULT '' NOT NULL,
	"icon" text DEFAULT '' NOT NULL,
	"is_admin" boolean DEFAULT false NOT NULL,
	"component" text DEFAULT '' NOT NULL,
	"component_name" text DEFAULT '' NOT NULL,
	"hidden" boolean DEFAULT false NOT NULL,
	"user_manage_type" smallint DEFAULT 1 NOT NULL,
	"sort" integer DEFAULT 0 NOT NULL,
	"built_in" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "permission_type" CHECK ("permission"."type" in (0, 1, 2)),
	CONSTRAINT "permission_has_code" CHECK ("permission"."type" <> 2 or "permission"."code" is not null),
	CONSTRAINT "permission_user_manage_type" CHECK ("permission"."user_manage_type" between 1 and 4),
	CONSTRAINT "permission_not_its_own_parent" CHECK ("permission"."pid" <> "permission"."id")
);
--> statement-breakpoint
CREATE TABLE "account_role" (
	"tenant_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	CONSTRAINT "account_role_pkey" PRIMARY KEY("account_id","role_id")
);
--> statement-breakpoint
CREATE TABLE "role" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"name" text NOT NULL,
	"name_en" text DEFAULT '' NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"kind" text NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"built_in" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "role_kind" CHECK ("role"."kind" in ('user', 'operator'))
);
--> statement-breakpoint
CREATE TABLE "role_permission" (
	"tenant_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	"permission_id" uuid NOT NULL,
	CONSTRAINT "role_permission_pkey" PRIMARY KEY("role_id","permission_id")
);
--> statement-breakpoint
CREATE TABLE "tenant_logo" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"data" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "department" (
	"tenant_id" uuid NOT NULL,
	"path" text NOT NULL,
	CONSTRAINT "department_pkey" PRIMARY KEY("tenant_id","path")
);
--> statement-breakpoint
CREATE TABLE "former_password" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"password_hash" text NOT NULL,
	"replaced_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "meeting_subject_trgm_idx";--> statement-breakpoint
DROP INDEX "meeting_number_trgm_idx";--> statement-breakpoint
DROP INDEX "account_tenant_name_idx";--> statement-breakpoint
DROP INDEX "account_name_trgm_idx";--> statement-breakpoint
DROP INDEX "account_account_trgm_idx";--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "user_agent" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "terminal_session" ADD COLUMN "guest_token_id" uuid;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "max_users" integer;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "max_terminals" integer;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "max_recording_bytes" bigint;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "max_meeting_minutes" integer;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "denied_features" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "colour" text;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "logo_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "meeting_admin_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "meeting_admin_phone" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "service_desk_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "service_desk_phone" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "password_min_length" integer DEFAULT 8 NOT NULL;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "password_min_classes" integer DEFAULT 2 NOT NULL;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "password_history" integer DEFAULT 3 NOT NULL;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "password_max_age_days" integer;--> statement-breakpoint
ALTER TABLE "tenant" ADD COLUMN "audit_months" integer DEFAULT 12 NOT NULL;--> statement-breakpoint
ALTER TABLE "account" ADD COLUMN "phone" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "account" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "account" ADD COLUMN "password_changed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "account" ADD COLUMN "password_due" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "account" ADD COLUMN "last_login_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "account" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "handover_ticket" ADD CONSTRAINT "handover_ticket_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "handover_ticket" ADD CONSTRAINT "handover_ticket_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "known_device" ADD CONSTRAINT "known_device_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "known_device" ADD CONSTRAINT "known_device_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guest_token" ADD CONSTRAINT "guest_token_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guest_token" ADD CONSTRAINT "guest_token_meeting_fk" FOREIGN KEY ("tenant_id","meeting_id") REFERENCES "public"."meeting"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_permission" ADD CONSTRAINT "account_permission_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_permission" ADD CONSTRAINT "account_permission_permission_id_permission_id_fk" FOREIGN KEY ("permission_id") REFERENCES "public"."permission"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_permission" ADD CONSTRAINT "account_permission_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "permission" ADD CONSTRAINT "permission_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "permission" ADD CONSTRAINT "permission_pid_permission_id_fk" FOREIGN KEY ("pid") REFERENCES "public"."permission"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_role" ADD CONSTRAINT "account_role_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_role" ADD CONSTRAINT "account_role_role_id_role_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."role"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_role" ADD CONSTRAINT "account_role_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role" ADD CONSTRAINT "role_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_permission" ADD CONSTRAINT "role_permission_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_permission" ADD CONSTRAINT "role_permission_role_id_role_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."role"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_permission" ADD CONSTRAINT "role_permission_permission_id_permission_id_fk" FOREIGN KEY ("permission_id") REFERENCES "public"."permission"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenant_logo" ADD CONSTRAINT "tenant_logo_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "department" ADD CONSTRAINT "department_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "former_password" ADD CONSTRAINT "former_password_tenant_id_tenant_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "former_password" ADD CONSTRAINT "former_password_account_fk" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."account"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_tenant_at_idx" ON "audit_log" USING btree ("tenant_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_at_idx" ON "audit_log" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_log_action_idx" ON "audit_log" USING btree ("tenant_id","action","at");--> statement-breakpoint
CREATE INDEX "audit_log_actor_idx" ON "audit_log" USING btree ("tenant_id","actor_id","at");--> statement-breakpoint
CREATE INDEX "audit_log_target_idx" ON "audit_log" USING btree ("tenant_id","target_id","at");--> statement-breakpoint
CREATE INDEX "handover_ticket_expires_idx" ON "handover_ticket" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "known_device_account_idx" ON "known_device" USING btree ("account_id","last_used_at");--> statement-breakpoint
CREATE INDEX "known_device_used_idx" ON "known_device" USING btree ("last_used_at");--> statement-breakpoint
CREATE UNIQUE INDEX "guest_token_hash_key" ON "guest_token" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "guest_token_meeting_key" ON "guest_token" USING btree ("meeting_id") WHERE "guest_token"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "guest_token_meeting_idx" ON "guest_token" USING btree ("meeting_id","created_at");--> statement-breakpoint
CREATE INDEX "account_permission_permission_idx" ON "account_permission" USING btree ("permission_id");--> statement-breakpoint
CREATE UNIQUE INDEX "permission_code_key" ON "permission" USING btree ("code") WHERE "permission"."type" = 2;--> statement-breakpoint
CREATE UNIQUE INDEX "permission_built_in_key" ON "permission" USING btree ("built_in");--> statement-breakpoint
CREATE INDEX "permission_pid_idx" ON "permission" USING btree ("pid","sort");--> statement-breakpoint
CREATE INDEX "account_role_role_idx" ON "account_role" USING btree ("role_id","tenant_id");--> statement-breakpoint
CREATE UNIQUE INDEX "role_name_key" ON "role" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "role_built_in_key" ON "role" USING btree ("built_in");--> statement-breakpoint
CREATE INDEX "role_permission_permission_idx" ON "role_permission" USING btree ("permission_id");--> statement-breakpoint
CREATE INDEX "former_password_account_idx" ON "former_password" USING btree ("account_id","replaced_at");--> statement-breakpoint
ALTER TABLE "terminal_session" ADD CONSTRAINT "terminal_session_guest_fk" FOREIGN KEY ("tenant_id","guest_token_id") REFERENCES "public"."guest_token"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "terminal_session_guest_idx" ON "terminal_session" USING btree ("meeting_id","created_at") WHERE "terminal_session"."guest_token_id" is not null;--> statement-breakpoint
CREATE INDEX "terminal_session_tenant_present_idx" ON "terminal_session" USING btree ("tenant_id") WHERE "terminal_session"."state" = 'admitted';--> statement-breakpoint
CREATE INDEX "meeting_search_idx" ON "meeting" USING gin (search_grams("tenant_id", "subject"),search_grams("tenant_id", "number")) WITH (gin_pending_list_limit=256);--> statement-breakpoint
CREATE INDEX "tenant_name_trgm_idx" ON "tenant" USING gin ("name" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "account_search_idx" ON "account" USING gin (search_grams("tenant_id", "name"),search_grams("tenant_id", "account"),search_grams("tenant_id", "email"),search_grams("tenant_id", "phone"),search_grams("tenant_id", "department")) WITH (gin_pending_list_limit=256);--> statement-breakpoint
CREATE INDEX "account_tenant_department_idx" ON "account" USING btree ("tenant_id","department" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "account_users_name_idx" ON "account" USING btree ("tenant_id","name","id") WHERE "kind" = 'user' and "deleted_at" is null;--> statement-breakpoint
CREATE INDEX "account_users_account_idx" ON "account" USING btree ("tenant_id","account","id") WHERE "kind" = 'user' and "deleted_at" is null;--> statement-breakpoint
CREATE INDEX "account_users_department_idx" ON "account" USING btree ("tenant_id","department","id") WHERE "kind" = 'user' and "deleted_at" is null;--> statement-breakpoint
CREATE INDEX "account_users_created_idx" ON "account" USING btree ("tenant_id","created_at","id") WHERE "kind" = 'user' and "deleted_at" is null;--> statement-breakpoint
CREATE INDEX "account_users_login_idx" ON "account" USING btree ("tenant_id","last_login_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "kind" = 'user' and "deleted_at" is null;--> statement-breakpoint
CREATE INDEX "account_users_enabled_idx" ON "account" USING btree ("tenant_id","enabled") WHERE "kind" = 'user' and "deleted_at" is null;--> statement-breakpoint
CREATE INDEX "account_deleted_idx" ON "account" USING btree ("deleted_at") WHERE "account"."deleted_at" is not null;--> statement-breakpoint
ALTER TABLE "tenant" ADD CONSTRAINT "tenant_quotas" CHECK ("tenant"."max_users" > 0 and "tenant"."max_terminals" > 0 and "tenant"."max_recording_bytes" >= 0 and "tenant"."max_meeting_minutes" > 0);--> statement-breakpoint
ALTER TABLE "tenant" ADD CONSTRAINT "tenant_colour" CHECK ("tenant"."colour" ~ '^#[0-9a-f]{6}$');--> statement-breakpoint
ALTER TABLE "tenant" ADD CONSTRAINT "tenant_audit_months" CHECK ("tenant"."audit_months" >= 6);--> statement-breakpoint
ALTER TABLE "account" ADD CONSTRAINT "account_deleted_disabled" CHECK ("account"."deleted_at" is null or not "account"."enabled");--> statement-breakpoint
-- No statistics about the indexed expressions: computing them would make every ANALYZE slow, and search_ids needs none.
ALTER INDEX "meeting_search_idx" ALTER COLUMN 1 SET STATISTICS 0, ALTER COLUMN 2 SET STATISTICS 0;--> statement-breakpoint
ALTER INDEX "account_search_idx" ALTER COLUMN 1 SET STATISTICS 0, ALTER COLUMN 2 SET STATISTICS 0, ALTER COLUMN 3 SET STATISTICS 0, ALTER COLUMN 4 SET STATISTICS 0, ALTER COLUMN 5 SET STATISTICS 0;
--> statement-breakpoint
CREATE FUNCTION audit_log_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF tg_op = 'DELETE' AND old.at < now() - interval '6 months' THEN
    RETURN old;
  END IF;
  RAISE EXCEPTION 'Rows of the audit log are never changed, and kept for six months at least' USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_log_keep BEFORE UPDATE OR DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION audit_log_keep();
--> statement-breakpoint
-- Ids and places of rows of the transaction's tenant of which a searched column contains the keyword, at_most of them. Under row
-- security no statement of a tenant may use such an index itself, for the operators of texts and arrays could tell of
-- rows they are not to see (PostgreSQL manual, section 41.5); this one runs as the owner, and compares the tenant itself.
CREATE FUNCTION search_ids(source text, searched text[], keyword text, at_most integer) RETURNS TABLE (found_id uuid, place tid)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1000
SET search_path = public, pg_temp SET enable_seqscan = off SET enable_indexscan = off SET jit = off SET max_parallel_workers_per_gather = 0
AS $$
DECLARE
  tenant uuid := current_setting('rmeet.tenant_id');
  lowered text := lower(keyword);
  size integer := least(3, length(lowered));
  -- The keyword in pieces as long as the index has them; the last one may overlap the one before.
  grams integer[] := array(
    SELECT hashtext(substr(lowered, least(start, length(lowered) - size + 1), size)) # uuid_hash(tenant)
    FROM generate_series(1, length(lowered), size) AS start);
  -- What has no case is compared as it is, which is several times quicker.
  comparison text := CASE WHEN lowered = upper(keyword) THEN 'LIKE' ELSE 'ILIKE' END;
  pattern text := '%' || regexp_replace(keyword, '([\\%_])', '\\\1', 'g') || '%';
BEGIN
  RETURN QUERY EXECUTE (
    SELECT format('SELECT id, ctid FROM (SELECT id, ctid, tenant_id, %s FROM %I WHERE %s OFFSET 0) AS candidate WHERE tenant_id = $1 AND (%s) LIMIT $2',
      string_agg(format('%I', name), ', '),
      source,
      string_agg(format('search_grams(tenant_id, %I) @> $3', name), ' OR '),
      string_agg(format('%I %s $4', name, comparison), ' OR '))
    FROM unnest(searched) AS name)
  USING tenant, at_most, grams, pattern;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION search_ids FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION search_ids TO rmeet_app;
--> statement-breakpoint
-- What accounts of before need: their departments are listed, and the captchas and devices of before are not readable as they are kept now.
INSERT INTO department (tenant_id, path) SELECT DISTINCT tenant_id, department FROM account WHERE department <> '';
--> statement-breakpoint
DELETE FROM captcha;
