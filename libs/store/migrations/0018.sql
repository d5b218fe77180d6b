-- The projector alone writes these rows, from keys that it has just looked up, and never deletes what they point to. Four checks
-- of a SKU took half the time of placing it. Builds beside the served one drop them too.
do $$
declare
  tables text;
begin
  for tables in
    select nspname from pg_namespace
    where nspname ~ ('^' || current_schema() || '(_live|_build_[0-9]+)$')
  loop
    continue when to_regclass(format('%I.memberships', tables)) is null;
    execute format('alter table %I.memberships drop constraint if exists memberships_sku_fkey,
      drop constraint if exists memberships_item_fkey, drop constraint if exists memberships_source_fkey', tables);
    execute format('alter table %I.match_keys drop constraint if exists match_keys_sku_fkey', tables);
  end loop;
end $$;
