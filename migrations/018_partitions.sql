-- Raw signals by month on PostgreSQL, so that a month is let go as a whole. What there is becomes one partition as it is,
-- up to the end of this month: no row is copied. Later months have a partition each (src/store/schema/months.ts); a row of
-- a month that has none is in the partition for the rest (default). The embedded store stays as it is.
--
-- Every table of which a trigger lets rows go by signal_retention, whatever its columns are. Indexes of the old table
-- become those of its partition; a unique one must contain the slot.
/* postgres:
do $$
declare
  source record;
  older text;
  rest text;
  newest bigint;
  until bigint;
  before text;
  after text;
begin
  for source in
    select c.oid, c.relname as name, c.relacl, pg_get_userbyid(c.relowner) as owner from pg_class c
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and exists (
      select from pg_trigger t join pg_proc f on f.oid = t.tgfoid
      where t.tgrelid = c.oid and f.prosrc like '%signal_retention%')
    order by c.relname
  loop
    older := source.name || '_older';
    rest := source.name || '_default';
    execute format('select max(slot) from %I', source.name) into newest;
    until := 1000 * extract(epoch from interval '1 month' + date_trunc('month',
      greatest(now(), to_timestamp(newest / 1000.0)) at time zone 'UTC'));

    -- What names the table is written down before it has another name. Triggers for each row come back from the new table.
    select string_agg(command, '; ') into before from (
      select format('alter index %s rename to %I', i.indexrelid::regclass, c.relname || '_older') as command
        from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = source.oid
      union all
      select format('drop trigger %I on %I', tgname, source.name)
        from pg_trigger where tgrelid = source.oid and not tgisinternal and tgtype & 1 = 1
    ) commands;
    select string_agg(command, '; ') into after from (
      select format('alter table %I add constraint %I %s', source.name, conname, pg_get_constraintdef(oid)) as command
        from pg_constraint where conrelid = source.oid and contype in ('p', 'u')
      union all
      select pg_get_indexdef(indexrelid) from pg_index
        where indrelid = source.oid and indexrelid not in (select conindid from pg_constraint)
      union all
      select pg_get_triggerdef(oid) from pg_trigger where tgrelid = source.oid and not tgisinternal
      union all
      select format('grant %s on %I to %s%s', a.privilege_type, source.name,
          case a.grantee when 0 then 'public' else a.grantee::regrole::text end,
          case when a.is_grantable then ' with grant option' else '' end)
        from aclexplode(source.relacl) a
      union all
      select format('create or replace view %s as %s', r.ev_class::regclass, rtrim(pg_get_viewdef(r.ev_class), ';'))
        from pg_rewrite r where r.rulename = '_RETURN' and exists (
          select from pg_depend d where d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
            and d.refclassid = 'pg_class'::regclass and d.refobjid = source.oid)
    ) commands;

    execute before;
    execute format('alter table %I rename to %I', source.name, older);
    execute format('create table %I (like %I including all excluding indexes) partition by range (slot)',
      source.name, older);
    execute format('alter table %I owner to %I', source.name, source.owner);
    execute after;
    execute format('alter table %I attach partition %I for values from (minvalue) to (%s)', source.name, older, until);
    execute format('create table %I partition of %I default', rest, source.name);
    execute format('alter table %I owner to %I', rest, source.owner);
    execute format('create trigger %I before update or truncate on %I for each statement execute function refuse_change()',
      rest || '_no_change', rest);
    -- Joins are planned by what is known of the whole table.
    execute format('analyze %I', source.name);
  end loop;
end $$; */
