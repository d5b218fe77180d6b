-- Runs that a person took back: the offset of the event in catalog.items, and the editions that were frozen because of the run
-- (docs/decisions/0063-runs-taken-back.md). Builds beside the served one get the columns too.
do $$
declare
  tables text;
begin
  for tables in
    select nspname from pg_namespace
    where nspname ~ ('^' || current_schema() || '(_live|_build_[0-9]+)$')
  loop
    continue when to_regclass(format('%I.run_marks', tables)) is null;
    execute format('alter table %I.run_marks add column if not exists taken_back bigint, add column if not exists froze text[]', tables);
  end loop;
end $$;
