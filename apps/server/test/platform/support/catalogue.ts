import { sql } from 'drizzle-orm';
import { drizzleOf, type Db } from '../../../src/platform/db/index.ts';
import type { Drizzle } from '../../../src/platform/db/scope.ts';

const SCHEMAS = `(select oid from pg_namespace where nspname in ('public', 'drizzle'))`;
/** Objects of an extension belong to it; its version is compared. */
const OWN = (id: string): string => `not exists (select from pg_depend d where d.objid = ${id} and d.deptype = 'e')`;
const grants = (acl: string): string => `(select array_agg(a::text order by a::text) from unnest(${acl}) a)`;

/** Each query returns rows of one kind of object as JSON. Names replace oids, which differ. */
const QUERIES: Record<string, string> = {
  schemas: `select nspname as name, nspowner::regrole as owner, ${grants('nspacl')} as grants
    from pg_namespace where oid in ${SCHEMAS}`,
  extensions: `select extname as name, extversion as version, extnamespace::regnamespace as schema from pg_extension`,
  relations: `select oid::regclass as name, relkind, relpersistence, relowner::regrole as owner, reloptions,
      relrowsecurity, relforcerowsecurity, relreplident, relispartition, relhasrules, reltablespace,
      (select amname from pg_am where pg_am.oid = relam) as method, ${grants('relacl')} as grants,
      obj_description(oid, 'pg_class') as comment
    from pg_class where relnamespace in ${SCHEMAS}`,
  columns: `select attrelid::regclass as relation,
      row_number() over (partition by attrelid order by attnum) as place, attname as name,
      format_type(atttypid, atttypmod) as type, attnotnull, attidentity, attgenerated, attstorage, attcompression,
      attstattarget, attoptions, attislocal, nullif(attcollation, 0)::regcollation as collation,
      pg_get_expr(adbin, adrelid) as value, ${grants('attacl')} as grants, col_description(attrelid, attnum) as comment
    from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped
      and attrelid in (select oid from pg_class where relnamespace in ${SCHEMAS})`,
  constraints: `select conrelid::regclass as relation, conname as name, contype, condeferrable, condeferred,
      convalidated, conislocal, connoinherit, conindid::regclass as index, pg_get_constraintdef(oid) as definition
    from pg_constraint where connamespace in ${SCHEMAS}`,
  indexes: `select indexrelid::regclass as name, indisunique, indisprimary, indisexclusion, indimmediate,
      indisclustered, indisvalid, indisreplident, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid in (select oid from pg_class where relnamespace in ${SCHEMAS})`,
  functions: `select oid::regprocedure as name, proowner::regrole as owner, ${grants('proacl')} as grants, procost,
      pg_get_functiondef(oid) as definition
    from pg_proc where pronamespace in ${SCHEMAS} and prokind <> 'a' and ${OWN('pg_proc.oid')}`,
  triggers: `select tgrelid::regclass as relation, tgname as name, tgenabled, pg_get_triggerdef(oid) as definition
    from pg_trigger where not tgisinternal`,
  internalTriggers: `select tgrelid::regclass as relation, tgfoid::regproc as function, tgenabled, count(*)
    from pg_trigger where tgisinternal group by 1, 2, 3`,
  policies: `select polrelid::regclass as relation, polname as name, polcmd, polpermissive,
      polroles::regrole[] as roles, pg_get_expr(polqual, polrelid) as using,
      pg_get_expr(polwithcheck, polrelid) as check
    from pg_policy`,
  rules: `select ev_class::regclass as relation, rulename as name, pg_get_ruledef(oid) as definition from pg_rewrite
    where ev_class in (select oid from pg_class where relnamespace in ${SCHEMAS})`,
  sequences: `select seqrelid::regclass as name, format_type(seqtypid, null) as type, seqstart, seqincrement, seqmin,
      seqmax, seqcache, seqcycle
    from pg_sequence where seqrelid in (select oid from pg_class where relnamespace in ${SCHEMAS})`,
  types: `select oid::regtype as name, typtype, typnotnull, typdefault, format_type(typbasetype, typtypmod) as base,
      ${grants('typacl')} as grants,
      (select array_agg(enumlabel order by enumsortorder) from pg_enum where enumtypid = pg_type.oid) as labels
    from pg_type where typnamespace in ${SCHEMAS} and ${OWN('pg_type.oid')}`,
  others: `select 'operator' as kind, oid::regoperator::text as name from pg_operator
      where oprnamespace in ${SCHEMAS} and ${OWN('pg_operator.oid')}
    union all select 'aggregate', oid::regprocedure::text from pg_proc
      where pronamespace in ${SCHEMAS} and prokind = 'a' and ${OWN('pg_proc.oid')}
    union all select 'cast', castsource::regtype || ' as ' || casttarget::regtype from pg_cast where oid >= 16384
      and ${OWN('pg_cast.oid')}
    union all select 'collation', collname from pg_collation where collnamespace in ${SCHEMAS}
    union all select 'statistics', stxname from pg_statistic_ext
    union all select 'event trigger', evtname from pg_event_trigger
    union all select 'publication', pubname from pg_publication
    union all select 'inheritance', inhrelid::regclass || ' of ' || inhparent::regclass from pg_inherits
    union all select 'default grants', defaclobjtype::text || defaclacl::text from pg_default_acl`,
};

async function rowsOf(tx: Drizzle, query: string): Promise<string[]> {
  const { rows } = (await tx.execute(sql.raw(`select to_jsonb(q)::text as row from (${query}) q`))) as {
    rows: { row: string }[];
  };
  return rows.map(({ row }) => row).toSorted();
}

/** Everything the catalogues of PostgreSQL say about the product's schemas, and all rows of its tables. */
export function catalogueOf(db: Db): Promise<Record<string, string[]>> {
  return db.platform(async (platform) => {
    const tx = drizzleOf(platform);
    const found: Record<string, string[]> = {};
    for (const [kind, query] of Object.entries(QUERIES)) found[kind] = await rowsOf(tx, query);
    const { rows: tables } = (await tx.execute(
      sql.raw(`select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace in ${SCHEMAS}`),
    )) as { rows: { name: string }[] };
    for (const { name } of tables) found[`rows of ${name}`] = await rowsOf(tx, `select * from ${name}`);
    return found;
  });
}
