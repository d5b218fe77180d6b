-- Terms of prices whose goods their vendor no longer sells: they have no vote. Earlier terms are those of other goods. A new store
-- has the column from its read models.
alter table price_terms add column if not exists discontinued boolean not null default false;

-- Builds that are not served: a replay may be filling one.
do $$
declare
  beside text;
begin
  for beside in select nspname from pg_namespace where nspname ~ ('^' || current_schema() || '_build_[0-9]+$') loop
    execute format('alter table if exists %I.price_terms add column if not exists discontinued boolean not null default false', beside);
  end loop;
end $$;
