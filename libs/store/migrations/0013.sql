-- Packed columns of observations, a cache that no code reads any more (docs/decisions/0033-packed-observations.md). Builds beside the
-- served one lose it too.
do $$
declare
  tables text;
begin
  for tables in
    select nspname from pg_namespace
    where nspname ~ ('^' || current_schema() || '(_live|_build_[0-9]+)$')
  loop
    execute format('drop table if exists %I.packed_observations', tables);
  end loop;
end $$;
